/**
 * The driver's library in a separate process: whatever it does, each request has a response within its time. A
 * process that hangs or crashes is ended, and the next question finds a new one; there is never more than one, since
 * a process that is stuck in the kernel cannot be ended, and each further one would be stuck as well.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Answer, Question } from "./nvml/messages.ts";
import type { MachineReading } from "./nvml/reading.ts";

export type DriverAnswer =
  | { readonly kind: "read"; readonly reading: MachineReading }
  /** No library of the driver: this machine has no GPU that could be used. */
  | { readonly kind: "no-driver" }
  /** The driver is there and does not work. */
  | { readonly kind: "broken"; readonly why: string };

export interface DriverProcess {
  /** What the GPUs are; waits first, at most so long, for an error to be reported. One request at a time. */
  read(waitMs: number): Promise<DriverAnswer>;
  /** Ends the process. */
  close(): void;
}

export const NVML_LIBRARY = "libnvidia-ml.so.1";

/** A driver that is loaded for the first time may take seconds per GPU. */
const DEADLINE_MS = 15_000;
/** A process that is killed and not stuck in the kernel is gone at once. */
const ENDS_WITHIN_MS = 1_000;
const CHILD = fileURLToPath(new URL("./nvml/child.ts", import.meta.url));
/** The loader's words for a library that is not there. */
const NOT_THERE = /cannot open shared object file/;

export function openDriver(library: string = NVML_LIBRARY, deadlineMs: number = DEADLINE_MS): DriverProcess {
  let child: ChildProcess | null = null;

  const start = (): ChildProcess => {
    // What the child prints has no place in the agent's log; what it has to report comes as a response.
    const started = fork(CHILD, [library], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    started.once("exit", () => {
      if (child === started) child = null;
    });
    started.on("error", () => undefined);
    return started;
  };

  return {
    read: async (waitMs) => {
      if (child?.killed) await ended(child);
      if (child !== null) child = isOver(child) ? null : child;
      if (child?.killed) return { kind: "broken", why: "the driver hangs, and the process it holds cannot be ended" };
      child ??= start();
      const answer = await queryChild(child, { waitMs }, deadlineMs + waitMs);
      if (answer.kind === "read") return answer;
      if (answer.kind === "failed" && NOT_THERE.test(answer.why)) {
        child.kill("SIGKILL");
        return { kind: "no-driver" };
      }
      // What the library knows of a driver that failed is stale.
      child?.kill("SIGKILL");
      return { kind: "broken", why: answer.why };
    },
    close: () => void child?.kill("SIGKILL"),
  };
}

/** One look, by a process that ends with it. */
export async function readDriverOnce(library: string): Promise<DriverAnswer> {
  const driver = openDriver(library);
  return await driver.read(0).finally(() => driver.close());
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Resolves once the process is gone, or seems to stay. */
async function ended(child: ChildProcess): Promise<void> {
  if (isOver(child)) return;
  await once(child, "exit", { signal: AbortSignal.timeout(ENDS_WITHIN_MS) }).catch(() => undefined);
}

function queryChild(child: ChildProcess, question: Question, deadlineMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      child.off("message", settle);
      child.off("exit", onExit);
      resolve(answer);
    };
    const onExit = (code: number | null, signal: string | null): void =>
      settle({ kind: "failed", why: `the driver crashed (${signal ?? `code ${code}`})` });
    const timer = setTimeout(
      () => settle({ kind: "failed", why: `the driver did not respond within ${deadlineMs / 1000} s` }),
      deadlineMs,
    );
    child.on("message", settle);
    child.once("exit", onExit);
    child.send(question, (error) => {
      if (error !== null) settle({ kind: "failed", why: `the driver cannot be queried: ${error.message}` });
    });
  });
}
