/** Keeps a program running as systemd would: what ends unexpectedly is started again, soon and then less often. */
import { setTimeout as delay } from "node:timers/promises";
import { type Child, startChild } from "../local/child.ts";
import type { Program } from "../local/program.ts";

/** A killed part is back within a second. */
const FIRST_PAUSE_MS = 200;
const PAUSE_MS_MAX = 10_000;
/** What ran this long has earned a short pause again. */
const STEADY_MS = 30_000;

export interface Supervised {
  readonly name: string;
  /** Null while it is down. */
  pid(): number | null;
  /** Ends it for good. */
  stop(): Promise<void>;
}

export interface SupervisionOptions {
  /** The program of each start; called for each, so that it may clean up after the one before. */
  program(): Program | Promise<Program>;
  /** Resolves when the child is of use. Only the first start waits for it. */
  becomesReady(child: Child): Promise<unknown>;
  /** Called whenever the process is another one or none. */
  onChange(): void;
  say(line: string): void;
}

/** Starts the program and returns when it is ready. Rejects when the first start fails. */
export async function supervise(options: SupervisionOptions): Promise<Supervised> {
  const stopping = new AbortController();
  let child: Child | null = await startChild(await options.program());
  const { name } = child;
  options.onChange();
  try {
    await options.becomesReady(child);
  } catch (error) {
    await child.stop();
    throw error;
  }
  const watching = keepRunning();

  async function keepRunning(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (child !== null) {
      const startedMs = performance.now();
      const running: Child = child;
      const { code, signal } = await running.exited;
      child = null;
      if (stopping.signal.aborted) return;
      options.onChange();
      if (performance.now() - startedMs > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      // What was killed did not log why.
      const reason = signal === null ? await running.failureReason() : null;
      const why = reason === null ? "" : `: ${reason}`;
      options.say(`${name} ended (${signal ?? `code ${code}`})${why}; it is started again in ${pauseMs} ms`);
      child = await startAfter(pauseMs);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
      options.onChange();
    }
  }

  /** Null when it was stopped meanwhile. */
  async function startAfter(firstPauseMs: number): Promise<Child | null> {
    for (let pauseMs = firstPauseMs; ; pauseMs = PAUSE_MS_MAX) {
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return null;
      try {
        return await startChild(await options.program());
      } catch (error) {
        options.say(`${name} could not be started: ${String(error)}`);
      }
    }
  }

  return {
    name,
    pid: () => child?.pid ?? null,
    async stop() {
      stopping.abort();
      await child?.stop();
      await watching;
    },
  };
}
