/** Queries the kernel whether a process is alive; one that only waits to be collected is not. */
import { readFileSync } from "node:fs";

/** Field of /proc/<pid>/stat that holds when the process began, counted from the field after its name. */
const BEGAN_AT_FIELD = 19;

export interface WatchedProcess {
  lives(): boolean;
  /** SIGKILL, where it still lives. */
  kill(): void;
}

/** Watches the process that has this id now: the id may pass to another one, which began later. */
export function watchProcess(pid: number): WatchedProcess {
  const began = beganAt(pid);
  const lives = (): boolean => began !== null && beganAt(pid) === began;
  return {
    lives,
    kill: () => {
      if (!lives()) return;
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended meanwhile, or is not ours to end.
      }
    },
  };
}

/** Ticks since the machine's start; null for a process that has ended. */
function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before the state may hold anything but ends with the last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[BEGAN_AT_FIELD] ?? null);
  } catch {
    return null;
  }
}
