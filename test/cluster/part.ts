/**
 * A part of a cluster under test: a program that can be killed, paused and started again on the same files and
 * ports. It dies with the test process.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Child, type Exit, startChild } from "@elastic/deploy/local/child.ts";
import type { Program } from "@elastic/deploy/local/program.ts";
import { FAULT } from "@elastic/std/log-uncaught-errors.ts";

export interface Part<R> extends AsyncDisposable {
  readonly name: string;
  /** What the newest start reported. */
  ready(): R;
  /** The newest process, also after it has ended. */
  child(): Child;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM, then SIGKILL; resolves when the process is gone. */
  stop(): Promise<Exit>;
  /** Starts it again after kill() or stop(). */
  start(): Promise<R>;
  /** SIGSTOP; resolves once none of its threads runs any more, which a busy machine makes it wait for. */
  pause(): Promise<void>;
  /** SIGCONT. */
  resume(): void;
}

export interface PartOptions<R> {
  /** The program of the next start, given what the previous start reported. */
  program(before: R | null): Program | Promise<Program>;
  /** Resolves when the started child is of use. */
  becomesReady(child: Child): Promise<R>;
  /** How often the first start is tried, for programs whose port another process may have taken meanwhile. */
  readonly triesMax?: number;
}

export async function startPart<R>(options: PartOptions<R>): Promise<Part<R>> {
  let { child, ready } = await firstStart(options);
  return {
    name: child.name,
    ready: () => ready,
    child: () => child,
    async kill() {
      child.signal("SIGKILL");
      await child.exited;
    },
    async stop() {
      child.signal("SIGCONT");
      return await child.stop();
    },
    async start() {
      if (child.exit() === null) throw new Error(`${child.name} is running`);
      ({ child, ready } = await startOnce(options, ready));
      return ready;
    },
    async pause() {
      child.signal("SIGSTOP");
      while (!isStopped(child)) await delay(1);
    },
    resume: () => child.signal("SIGCONT"),
    async [Symbol.asyncDispose]() {
      child.signal("SIGCONT");
      await child.stop();
      // What waits for it only gets an error that nothing comes.
      if (child.tail().includes(FAULT)) throw new Error(`${child.name} broke down:\n${child.tail()}`);
    },
  };
}

/** Each thread stops when it is next scheduled; until then it may answer a request that came after the signal. */
function isStopped({ pid, exit }: Child): boolean {
  if (exit() !== null) return true;
  const threads = `/proc/${pid}/task`;
  // The state follows the program's name, which may have spaces and parentheses itself.
  return readdirSync(threads).every((id) =>
    /^ T /.test(readFileSync(`${threads}/${id}/stat`, "utf8").replace(/^.*\)/s, "")),
  );
}

async function firstStart<R>(options: PartOptions<R>): Promise<{ child: Child; ready: R }> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(options, null);
    } catch (error) {
      if (tries >= (options.triesMax ?? 1)) throw error;
    }
  }
}

async function startOnce<R>(options: PartOptions<R>, before: R | null): Promise<{ child: Child; ready: R }> {
  const child = await startChild(await options.program(before));
  try {
    return { child, ready: await options.becomesReady(child) };
  } catch (error) {
    child.signal("SIGKILL");
    await child.exited;
    throw error;
  }
}
