/** Coordinators and agents whose wall clocks a test shifts, each apart and at any time; that of etcd stays. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Part } from "./part.ts";

const PRELOAD = join(import.meta.dirname, "preload-shifted-clock.ts");

export interface ShiftedClocks {
  /** Of a process whose clock is ahead by so much from the beginning; 0 for all of the cluster. */
  aheadBy(ms: number): Readonly<Record<string, string>>;
  /** From now on the clock of that process is ahead by so much. */
  shift(part: Pick<Part<unknown>, "child">, aheadMs: number): void;
}

export function shiftedClocks(folder: string): ShiftedClocks {
  return {
    aheadBy: (ms) => {
      const preload = pathToFileURL(PRELOAD);
      preload.searchParams.set("folder", folder);
      preload.searchParams.set("aheadMs", String(ms));
      return { NODE_OPTIONS: `--import=${preload}` };
    },
    shift: (part, aheadMs) => {
      const file = join(folder, String(part.child().pid));
      // Never read half.
      writeFileSync(`${file}.new`, String(aheadMs));
      renameSync(`${file}.new`, file);
    },
  };
}
