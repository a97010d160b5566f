/** One request to the acceleration library, in a separate process. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { logTail } from "../domain/log-tail.ts";
import type { Answer, ChildMessage, Question } from "../kernels/zkaccel/messages.ts";
import type { Sandbox } from "../workloads/builtin/create-sandbox.ts";
import { hostEnd } from "../workloads/builtin/exit.ts";
import { type HostGpus, hostCommand } from "../workloads/builtin/sandbox.ts";
import { spawned } from "../workloads/spawned.ts";
import { parseChildMessage } from "./child-messages.ts";

export interface QueryOptions {
  readonly gpus: HostGpus;
  readonly timeoutMs: number;
  readonly report?: (doing: string) => void;
  readonly signal?: AbortSignal;
}

const OPEN_FILES_MAX = 1024;
const LOG_BYTES_MAX = 64 * 1024;

/** `failed` where the process crashed, or has not responded in time. */
export function queryChild(
  sandbox: Sandbox,
  question: Question,
  { gpus, timeoutMs, report, signal }: QueryOptions,
): Promise<Answer> {
  const common = { script: "zkaccel/child.ts", extraFiles: [], openFilesMax: OPEN_FILES_MAX } as const;
  const command = hostCommand({ ...sandbox, ...common, args: [JSON.stringify(question)], gpus });
  const child = spawned(spawn(command.file, command.args, { stdio: ["ignore", "pipe", "pipe"], env: command.env }));
  const log = logTail(LOG_BYTES_MAX);
  child.stderr?.on("data", (chunk: Buffer) => log.append(chunk));
  const end = endOf(child);
  let answer: Answer | null = null;
  const receive = (said: ChildMessage | null): void => {
    if (said?.kind === "up") end.onUp();
    else if (said?.kind === "doing") report?.(said.what);
    else answer ??= said;
  };
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on("line", (line) => receive(parseChildMessage(line)));
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      end.giveUp();
      // Not once it has ended: a process that is stuck in the kernel does not.
      resolve({ kind: "failed", why: `the library did not respond within ${timeoutMs / 1000} s` });
    }, timeoutMs);
    if (signal?.aborted) end.giveUp();
    else signal?.addEventListener("abort", end.giveUp, { once: true });
    const settle = (code: number | null, name: string | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end.giveUp);
      const why = end.isAborted() ? "it was interrupted" : endText(code, name, log.since(0, LOG_BYTES_MAX));
      resolve(answer ?? { kind: "failed", why });
    };
    child.once("error", (error) => {
      log.append(Buffer.from(error.message));
      settle(null, null);
    });
    // `close`, not `exit`: all that it said has been read then.
    child.once("close", settle);
  });
}

interface End {
  onUp(): void;
  giveUp(): void;
  isAborted(): boolean;
}

/**
 * Kills a process whose request is aborted, but not before it is up: a bubblewrap that is killed while it creates its
 * sandbox leaves a process behind that waits for it without end.
 */
function endOf(child: ChildProcess): End {
  let isUp = false;
  let isAborted = false;
  const killOnceBoth = (): void => {
    if (isUp && isAborted) child.kill("SIGKILL");
  };
  return {
    onUp: () => {
      isUp = true;
      killOnceBoth();
    },
    giveUp: () => {
      isAborted = true;
      killOnceBoth();
    },
    isAborted: () => isAborted,
  };
}

function endText(code: number | null, name: string | null, log: string): string {
  const { signal, exitCode } = hostEnd(code, name, log, false);
  if (signal !== null) return `the library crashed (${signal})`;
  const lastLine = log.trim().split("\n").at(-1) ?? "";
  return `the library's process ended with ${exitCode ?? "nothing"}${lastLine === "" ? "" : `: ${lastLine}`}`;
}
