/** Structured logs: JSON lines on standard output. */
import { type Logger as PinoLogger, pino } from "pino";

/** What everything logs to; a part takes a child with its own name. */
export type Logger = PinoLogger;

/** A log for the program `name`. `level` is one of pino's, or `silent`. */
export function createLog(options: { readonly name: string; readonly level: string }): Logger {
  return pino({ name: options.name, level: options.level, base: { name: options.name } });
}
