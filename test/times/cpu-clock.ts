/** CPU time of this process and of its descendants that have ended, as the kernel counts it. */
import { readFileSync } from "node:fs";

/** Of Linux on every architecture: sysconf(_SC_CLK_TCK). */
const TICKS_PER_SECOND = 100;
/** In /proc/<pid>/stat after the name, which may hold spaces: utime, stime, cutime, cstime (proc(5)). */
const TIMES = [11, 12, 13, 14];

/** Seconds; null where there is no /proc. */
export function cpuSeconds(): number | null {
  try {
    return cpuSecondsIn(readFileSync("/proc/self/stat", "utf8"));
  } catch {
    return null;
  }
}

export function cpuSecondsIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TIMES.reduce((sum, index) => sum + Number(fields[index]), 0) / TICKS_PER_SECOND;
}
