/** Runs one runner in a separate process. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./command.ts";
import { atLeastOne, withExit } from "./count.ts";
import type { RunnerEnd } from "./runner.ts";
import type { RunnerName } from "./runners.ts";

export interface TimedEnd extends RunnerEnd {
  readonly seconds: number;
  /** Of all its processes; null where the kernel does not report it. */
  readonly cpuSeconds: number | null;
}

export interface ApartOptions {
  readonly long: boolean;
  /** What it prints is shown as it comes; else at its end, in one piece. */
  readonly show: boolean;
  /** It is given what time the others leave: for what keeps cores busy while tests mostly wait. */
  readonly background: boolean;
}

export async function runApart(name: RunnerName, { long, show, background }: ApartOptions): Promise<TimedEnd> {
  const folder = mkdtempSync(join(tmpdir(), "elastic-runner-"));
  try {
    const file = join(folder, "end.json");
    const node = [
      process.execPath,
      inRepository("test", "runners", "main.ts"),
      name,
      file,
      ...(long ? ["--long"] : []),
    ];
    const [program = "", ...args] = background ? ["nice", "-n", "19", ...node] : node;
    console.log(`\n== ${name}${show ? "" : " (shown at its end)"}`);
    const { code, output } = await runCommand(program, args, { show });
    if (!show) console.log(`\n== ${name}\n${output}`);
    return checkedEnd(readEnd(file), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readEnd(file: string): TimedEnd | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as TimedEnd;
  } catch {
    return null;
  }
}

/** A runner that dies before it reports counts as one failure, and so does one that ran no test. */
export function checkedEnd(end: TimedEnd | null, code: number | null): TimedEnd {
  if (end !== null) return { ...end, count: withExit(end.reused ? end.count : atLeastOne(end.count), code) };
  return { count: { passed: 0, failed: 1, skipped: 0 }, notes: [], timings: [], seconds: 0, cpuSeconds: null };
}
