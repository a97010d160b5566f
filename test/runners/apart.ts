/**
 * Runs one runner in a process of its own beside the others, with what time these leave: a test of the whole system
 * mostly waits for other processes.
 */
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./command.ts";
import { type Count, countIn } from "./count.ts";

/** What it prints is shown at its end, in one piece. */
export async function runApart(runner: string, options: { readonly long: boolean }): Promise<Count> {
  const args = [inRepository("test", "run.ts"), runner, ...(options.long ? ["--long"] : [])];
  const { code, output } = await runCommand("nice", ["-n", "19", process.execPath, ...args], { show: false });
  console.log(output);
  return countEnd(output, code);
}

/** What dies before it tells its result counts as one failure. */
export function countEnd(output: string, code: number | null): Count {
  const count = countIn(output);
  if (count === null) return { passed: 0, failed: 1, skipped: 0 };
  return { ...count, failed: count.failed === 0 && code !== 0 ? 1 : count.failed };
}
