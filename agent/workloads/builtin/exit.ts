/** Reads how a kernel host ended. */
import { constants } from "node:os";
import type { ProverEnd } from "../driver.ts";

/** What Rust prints when an allocation fails, before it aborts. */
const ALLOCATION_FAILED = /memory allocation of \d+ bytes failed|JavaScript heap out of memory/;

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** Wrappers such as bubblewrap pass a signal on as an exit code of 128 and its number. */
export function hostEnd(code: number | null, signal: string | null, log: string, byAgent: boolean): ProverEnd {
  const passedOn = code !== null && code > 128 ? (SIGNAL_NAMES.get(code - 128) ?? null) : null;
  const number = signal === null ? null : (constants.signals[signal as NodeJS.Signals] ?? null);
  return {
    exitCode: code ?? (number === null ? null : 128 + number),
    signal: signal ?? passedOn,
    outOfMemory: ALLOCATION_FAILED.test(log),
    byAgent,
  };
}
