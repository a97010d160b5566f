/** What a process costs, as the kernel counts it. */
import { residentBytes } from "@elastic/test/cluster/resident-memory.ts";
import { ownCpuSeconds } from "../measure/cpu-time.ts";

export interface Cost {
  readonly atMs: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

export function costOf(pid: number): Cost {
  return { atMs: performance.now(), cpuSeconds: ownCpuSeconds(pid), memoryBytes: residentBytes(pid) };
}

/** Of one core. */
export function cpuShare(before: Cost, after: Cost): number {
  return (1000 * (after.cpuSeconds - before.cpuSeconds)) / (after.atMs - before.atMs);
}
