/** Structured logs: JSON lines on standard output. */
import { type Logger as PinoLogger, pino } from "pino";

/** What everything logs to; a part takes a child with its own name. */
export type Logger = PinoLogger;

/** Lines that wait for a slow reader; beyond this they are dropped. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024;
/** Under load this many bytes go out together; otherwise a line waits no longer than the flush. */
const WRITE_BYTES_MIN = 4096;
const FLUSH_EVERY_MS = 50;

/**
 * A log for the program `name`. `level` is one of pino's, or `silent`.
 *
 * Lines are written in the background, together where many come at once, so that no request ever waits for its
 * log; what waits at an orderly exit or an uncaught error is written before the process ends.
 */
export function createLog(options: { readonly name: string; readonly level: string }): Logger {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITE_BYTES_MIN,
    maxLength: WAITING_BYTES_MAX,
    // A flush writes to standard output also where there is nothing to write, which fails where that is full.
    ...(options.level !== "silent" && { periodicFlush: FLUSH_EVERY_MS }),
  });
  return pino({ name: options.name, level: options.level, base: { name: options.name } }, destination);
}
