/**
 * Receives what a container writes, as it writes it. Not by way of the engine's log file, which is turned over under a
 * flood and loses what is not read by then. A stream that breaks is opened again while the container lives; what was
 * written meanwhile is missing, and that is said.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "dockerode";
import { type ProverLog, proverLog } from "../../domain/prover-log.ts";
import { StreamFrames } from "./stream-frames.ts";

export interface ContainerLog {
  readonly log: ProverLog;
  /** Resolves once it receives the container's log, or the engine has not responded for a while. */
  readonly followed: Promise<void>;
  stop(): void;
}

/** No task waits longer for its log than this. */
const FOLLOWED_WITHIN_MS = 2_000;
const AGAIN_AFTER_MS = 500;
const MISSED = Buffer.from("… the log was interrupted for a moment: lines are missing here\n");

export function followLog(container: Container, lives: () => boolean): ContainerLog {
  const log = proverLog();
  const stopping = new AbortController();
  const followed = Promise.withResolvers<void>();

  const run = async (): Promise<void> => {
    await follow(false).catch(() => undefined);
    // A dying container ends its streams a moment before it is gone.
    for (await moment(); lives() && !stopping.signal.aborted; await moment()) await follow(true).catch(() => undefined);
    log.end();
  };

  const moment = (): Promise<void> =>
    delay(AGAIN_AFTER_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  const follow = async (again: boolean): Promise<void> => {
    const wanted = { stream: true, stdout: true, stderr: true, abortSignal: stopping.signal };
    const stream = await container.attach(wanted);
    if (again) log.write(MISSED);
    followed.resolve();
    const frames = new StreamFrames();
    for await (const chunk of stream) for (const { bytes } of frames.take(chunk as Buffer)) log.write(bytes);
  };

  void run().then(followed.resolve);
  void delay(FOLLOWED_WITHIN_MS, undefined, { signal: stopping.signal, ref: false }).then(
    followed.resolve,
    followed.resolve,
  );
  return { log, followed: followed.promise, stop: () => stopping.abort() };
}
