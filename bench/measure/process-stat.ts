/** A process as `/proc/PID/stat` describes it. */
import { readFileSync } from "node:fs";

/** Of Linux, everywhere. */
const TICKS_A_SECOND = 100;

export interface ProcessStat {
  readonly parent: number;
  /** CPU time of its threads. */
  readonly cpuSeconds: number;
  /** CPU time of the children that have ended and that it has waited for, with theirs. */
  readonly endedCpuSeconds: number;
}

/** Null for one that has ended. */
export function processStat(pid: number): ProcessStat | null {
  const text = read(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name in brackets may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((index) =>
    Number(fields[index]),
  );
  return {
    parent,
    cpuSeconds: (user + system) / TICKS_A_SECOND,
    endedCpuSeconds: (endedUser + endedSystem) / TICKS_A_SECOND,
  };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
