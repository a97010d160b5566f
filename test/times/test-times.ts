/** Where a run's time went, as it is printed and as it is written to .cache/test-times.json. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import { inRepository, repositoryRoot } from "@elastic/deploy/local/repository.ts";
import { type Count, sentence } from "../runners/count.ts";
import type { Timing } from "../runners/runner.ts";

const FILE = inRepository(".cache", "test-times.json");
const SLOWEST = 20;

export interface RunnerTimes {
  readonly name: string;
  readonly count: Count;
  readonly seconds: number;
  readonly cpuSeconds: number | null;
  readonly timings: readonly Timing[];
}

export interface TestTimes {
  /** Wall time from the end of set-up on. */
  readonly seconds: number;
  readonly cpuSeconds: number | null;
  readonly peakMemoryMib: number;
  readonly setUp: readonly Timing[];
  readonly runners: readonly RunnerTimes[];
}

export function writeTimes(times: TestTimes): void {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: repositoryRoot, encoding: "utf8" }).trim();
  const machine = {
    cpu: cpus()[0]?.model ?? "",
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / 2 ** 30),
  };
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify({ commit, at: new Date().toISOString(), machine, ...times }, null, 2)}\n`);
}

/** The runners, the phases, and the twenty slowest files of all runners. */
export function timesTable({ seconds, cpuSeconds, peakMemoryMib, setUp, runners }: TestTimes): string {
  const timings = runners.flatMap((runner) => runner.timings);
  const files = timings.filter(({ kind }) => kind === "file").sort((one, other) => other.seconds - one.seconds);
  return [
    ...runners.map(
      (runner) => `${row(runner.seconds, runner.name)}: ${sentence(runner.count)}${ofCpu(runner.cpuSeconds)}`,
    ),
    ...[...setUp, ...timings.filter(({ kind }) => kind === "phase")].map((phase) => row(phase.seconds, phase.name)),
    `${row(seconds, "all runners")}${ofCpu(cpuSeconds)}, peak memory ${peakMemoryMib} MiB`,
    "",
    `The ${Math.min(SLOWEST, files.length)} slowest files of ${files.length}:`,
    ...files.slice(0, SLOWEST).map(({ seconds, name, parts }) => `${row(seconds, name)}${ofParts(parts)}`),
  ].join("\n");
}

function row(seconds: number, name: string): string {
  return `${seconds.toFixed(1).padStart(8)} s  ${name}`;
}

function ofCpu(cpuSeconds: number | null): string {
  return cpuSeconds === null ? "" : `, ${cpuSeconds.toFixed(0)} s of CPU`;
}

/** Parts that took a tenth of a second at least. */
function ofParts(parts: Timing["parts"] = {}): string {
  const shown = Object.entries(parts).filter(([, seconds]) => seconds >= 0.1);
  return shown.length < 2 ? "" : ` (${shown.map(([part, seconds]) => `${part} ${seconds.toFixed(1)}`).join(", ")})`;
}
