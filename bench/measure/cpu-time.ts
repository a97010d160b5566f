/** The CPU time of processes and of all that they started, as the kernel counts it. */
import { processStat } from "./process-stat.ts";
import { processTree } from "./process-tree.ts";

/** In seconds, with that of children which have ended and were waited for. */
export function treeCpuSeconds(roots: readonly number[]): number {
  const pids = new Set(roots.flatMap(processTree));
  return sum(
    [...pids].map((pid) => {
      const stat = processStat(pid);
      return stat === null ? 0 : stat.cpuSeconds + stat.endedCpuSeconds;
    }),
  );
}

/** Of this process alone. */
export function ownCpuSeconds(pid: number): number {
  return processStat(pid)?.cpuSeconds ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
