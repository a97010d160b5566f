/** Reads how a kernel host ended. */
import { constants } from "node:os";
import type { ProverEnd } from "../../domain/driver.ts";
import { OUT_OF_MEMORY_WORDS } from "../../kernels/memory-watch.ts";

/** What is printed before the end by the host's own watch, by Rust when an allocation fails, and by V8. */
const OUT_OF_MEMORY = new RegExp(
  `${OUT_OF_MEMORY_WORDS}|memory allocation of \\d+ bytes failed|JavaScript heap out of memory`,
);

/** Of several names of one number the first: SIGABRT, and not SIGIOT. */
const SIGNAL_NAMES = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** Wrappers such as bubblewrap pass a signal on as an exit code of 128 and its number. */
export function hostEnd(code: number | null, signal: string | null, log: string, byAgent: boolean): ProverEnd {
  const passedOn = code !== null && code > 128 ? (SIGNAL_NAMES.get(code - 128) ?? null) : null;
  const number = signal === null ? null : (constants.signals[signal as NodeJS.Signals] ?? null);
  return {
    exitCode: code ?? (number === null ? null : 128 + number),
    signal: signal ?? passedOn,
    outOfMemory: OUT_OF_MEMORY.test(log),
    byAgent,
  };
}
