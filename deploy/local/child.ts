/**
 * A child process that cannot outlive this one: the kernel kills it when this process ends, however it ends.
 * It runs in a separate process group, so that Ctrl-C at the terminal reaches only this process, which then
 * ends its children in order.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { failureReason } from "./failure-reason.ts";
import { openLogFile } from "./log-file.ts";
import type { Program } from "./program.ts";
import { ProgramFailedError } from "./program-failed-error.ts";

/** Lines that are retained for messages and for waits that begin after the line was printed. */
const LINES_KEPT_MAX = 2000;
const LINE_CHARACTERS_MAX = 64 * 1024;
const LINES_IN_TAIL = 20;
const STOP_GRACE_MS = 10_000;
/** How long the output of a child that has ended may stay open, as it does where its own children live on. */
const OUTPUT_GRACE_MS = 500;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Null while it runs. */
  exit(): Exit | null;
  readonly exited: Promise<Exit>;
  /**
   * What `find` makes of the first line, printed before or from now on, for which it gives a value.
   * Rejects, with the end of the log, when the child ends first or the time is up.
   */
  line<T>(find: (line: string) => T | undefined, timeoutMs: number): Promise<T>;
  /**
   * What `wait` gives, unless the child ends first: then it rejects with the end of the log, and the signal
   * aborts `wait`.
   */
  whileRunning<T>(wait: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The end of what it printed. */
  tail(lines?: number): string;
  /** Once it has ended: why, as its last lines say; null where they do not. */
  failureReason(): Promise<string | null>;
  /** Sends a signal; does nothing once it has ended. */
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL where that is not enough. */
  stop(graceMs?: number): Promise<Exit>;
}

/** Starts `program`. Rejects when it cannot be started at all. */
export async function startChild(program: Program): Promise<Child> {
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", program.command, ...program.args], {
    env: { ...program.env },
    cwd: program.cwd,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  await started(child, program);
  return watch(child, program);
}

function started(child: ChildProcess, program: Program): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => reject(new Error(`${program.name} could not be started`, { cause })));
  });
}

function watch(child: ChildProcess, program: Program): Child {
  const { name } = program;
  const log = openLogFile(program.logFile);
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  let ended: Exit | null = null;

  const onLine = (whole: string): void => {
    const line = whole.slice(0, LINE_CHARACTERS_MAX);
    lines.push(line);
    if (lines.length > LINES_KEPT_MAX) lines.splice(0, LINES_KEPT_MAX / 2);
    log.append(line);
    for (const listener of [...listeners]) listener(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", onLine);
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      ended = { code, signal };
      resolve(ended);
    });
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  /** When it has ended and everything that it printed was read. */
  const finished = exited.then(async (exit) => {
    await Promise.race([closed, delay(OUTPUT_GRACE_MS, undefined, { ref: false })]);
    return exit;
  });
  const lastLines = (count = LINES_IN_TAIL): readonly string[] => lines.slice(-count);
  const failure = (what: string): ProgramFailedError => new ProgramFailedError(program, what, lastLines());

  return {
    name,
    pid: child.pid ?? 0,
    exit: () => ended,
    exited,
    tail: (count) => lastLines(count).join("\n"),
    failureReason: () => finished.then(() => failureReason(lastLines())),
    whileRunning(wait) {
      const ending = new AbortController();
      const end = finished.then((exit) => {
        ending.abort();
        throw failure(endText(exit));
      });
      return Promise.race([wait(ending.signal), end]);
    },
    line: (find, timeoutMs) => firstLine(find, timeoutMs, { lines, listeners, finished, failure }),
    signal(signalName) {
      if (ended === null) child.kill(signalName);
    },
    async stop(graceMs = STOP_GRACE_MS) {
      if (ended !== null) return ended;
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      try {
        return await exited;
      } finally {
        clearTimeout(killer);
      }
    },
  };
}

function endText({ code, signal }: Exit): string {
  return `ended (${signal ?? `code ${code}`})`;
}

interface Output {
  readonly lines: readonly string[];
  readonly listeners: Set<(line: string) => void>;
  readonly finished: Promise<Exit>;
  readonly failure: (what: string) => Error;
}

function firstLine<T>(find: (line: string) => T | undefined, timeoutMs: number, output: Output): Promise<T> {
  for (const line of output.lines) {
    const found = find(line);
    if (found !== undefined) return Promise.resolve(found);
  }
  return new Promise((resolve, reject) => {
    const done = (act: () => void): void => {
      clearTimeout(timer);
      output.listeners.delete(listener);
      act();
    };
    const listener = (line: string): void => {
      const found = find(line);
      if (found !== undefined) done(() => resolve(found));
    };
    const fail = (what: string): void => done(() => reject(output.failure(what)));
    const timer = setTimeout(() => fail(`did not print what was waited for within ${timeoutMs} ms`), timeoutMs);
    output.listeners.add(listener);
    output.finished.then((exit) => fail(endText(exit)));
  });
}
