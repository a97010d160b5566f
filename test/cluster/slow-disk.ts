/** A disk that takes long to make things durable, as far as one process sees: strace(1) delays its system calls. */

import { readFileSync } from "node:fs";
import { type Child, startChild } from "@elastic/deploy/local/child.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { programPath } from "./machine.ts";

const CALLS = "fsync,fdatasync";
const ATTACHED_WITHIN_MS = 10_000;

/** From when it resolves until it is disposed of, each `fsync` and `fdatasync` of the process takes that much longer. */
export async function slowDown(of: Child, { delayMs, logFile }: SlowDisk): Promise<AsyncDisposable> {
  const strace = await startChild({
    name: "strace",
    command: "strace",
    args: [
      ...["--follow-forks", "--attach", String(of.pid), "--output", "/dev/null", `--trace=${CALLS}`],
      `--inject=${CALLS}:delay_enter=${delayMs * 1000}`,
    ],
    env: { PATH: programPath() },
    logFile,
  });
  await until("strace to be attached", () => isTraced(of.pid) || undefined, { timeoutMs: ATTACHED_WITHIN_MS });
  return {
    async [Symbol.asyncDispose]() {
      await strace.stop();
    },
  };
}

interface SlowDisk {
  readonly delayMs: number;
  /** Where strace's complaints go. */
  readonly logFile: string;
}

function isTraced(pid: number): boolean {
  return !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}
