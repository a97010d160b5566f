/** Asks the kernel whether a process is alive; one that only waits to be collected is not. */
import { readFileSync } from "node:fs";

export function processLives(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before the state may hold anything but ends with the last bracket.
    const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
    return state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}
