/** What a Pod's container writes, as it writes it, by way of the API server and the node's kubelet. */
import { setTimeout as delay } from "node:timers/promises";
import { tailText } from "../../domain/log-tail.ts";
import { type ProverLog, proverLog } from "../../domain/prover-log.ts";
import type { ClusterClient } from "./cluster-client.ts";

export interface PodLog {
  readonly log: ProverLog;
  stop(): void;
}

const AGAIN_AFTER_MS = 500;
const TAIL_LINES = 100;
const MISSED = Buffer.from("… the log was interrupted for a moment: lines are missing here\n");

/** A stream that breaks is opened again while the Pod lives; what was written meanwhile is missing, and that is said. */
export function followPodLog(client: ClusterClient, name: string, lives: () => boolean): PodLog {
  const log = proverLog();
  const stopping = new AbortController();
  const { signal } = stopping;

  const follow = async (again: boolean): Promise<void> => {
    const stream = await client.followLog(name, signal);
    if (again) log.write(MISSED);
    for await (const chunk of stream) log.write(chunk);
  };
  const moment = (): Promise<void> => delay(AGAIN_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
  const run = async (): Promise<void> => {
    await follow(false).catch(() => undefined);
    for (await moment(); lives() && !signal.aborted; await moment()) await follow(true).catch(() => undefined);
    log.end();
  };
  void run();
  return { log, stop: () => stopping.abort() };
}

/** What it wrote since an instant, at most `bytesMax` of its end. Empty when the cluster cannot say. */
export async function readPodLog(
  client: ClusterClient,
  name: string,
  sinceMs: number,
  bytesMax: number,
): Promise<string> {
  const text = await client.readLog(name, { sinceMs, lines: TAIL_LINES }).catch(() => Buffer.alloc(0));
  return tailText(text, bytesMax);
}
