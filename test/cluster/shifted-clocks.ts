/** Coordinators whose wall clocks a test shifts, each apart and at any time; those of agents and of etcd stay. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Coordinator } from "./coordinator.ts";

const PRELOAD = join(import.meta.dirname, "preload-shifted-clock.ts");

export interface ShiftedClocks {
  /** Of a coordinator whose clock is ahead by so much from the beginning; 0 for all of the cluster. */
  aheadBy(ms: number): Readonly<Record<string, string>>;
  /** From now on the clock of that process is ahead by so much. */
  shift(coordinator: Coordinator, aheadMs: number): void;
}

export function shiftedClocks(folder: string): ShiftedClocks {
  return {
    aheadBy: (ms) => {
      const preload = pathToFileURL(PRELOAD);
      preload.searchParams.set("folder", folder);
      preload.searchParams.set("aheadMs", String(ms));
      return { NODE_OPTIONS: `--import=${preload}` };
    },
    shift: (coordinator, aheadMs) => {
      const file = join(folder, String(coordinator.child().pid));
      // Never read half.
      writeFileSync(`${file}.new`, String(aheadMs));
      renameSync(`${file}.new`, file);
    },
  };
}
