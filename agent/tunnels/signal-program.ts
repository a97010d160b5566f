/**
 * Signals a program that runs in a container, with what it started: by its number there, from within the container's
 * own process namespace, so that a number that was given to another process meanwhile is never one of the host's.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const TIMEOUT_MS = 5_000;

const SIGNALS = ["HUP", "INT", "QUIT", "TERM", "KILL", "USR1", "USR2", "ALRM", "ABRT"] as const;

/** `pids` are as the host counts. A program that has ended already is as good as signalled. */
export async function signalProgram(pids: { container: number; program: number }, signal: string): Promise<void> {
  const name = SIGNALS.find((known) => known === signal);
  const inside = await pidInside(pids.program);
  if (name === undefined || inside === null || inside <= 1) return;
  const enter = [`--pid=/proc/${pids.container}/ns/pid`, "--", "kill", "-s", name, "--"];
  const kill = (target: number) => promisify(execFile)("nsenter", [...enter, `${target}`], { timeout: TIMEOUT_MS });
  // The engine makes each program the leader of a group.
  await kill(-inside).catch(() => kill(inside).catch(() => undefined));
}

/** The last of the numbers that the kernel lists is that of the innermost namespace. */
async function pidInside(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const numbers = /^NSpid:\s*(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
  return numbers.length < 2 ? null : Number(numbers.at(-1));
}
