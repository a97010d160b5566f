/**
 * What a program says of an error that nothing handled. It ends by it, with code 1, since nobody knows what state it is
 * in: whoever runs it starts it anew. Without this its log would just stop, and the stack stand elsewhere.
 */
import type { Logger } from "./log.ts";

/** What the last line of the log says then. */
export const FAULT =
  "a fault in this program: an error that nothing handled; the process ends now and must be started again";

/** From now on. A monitor rather than a handler: nothing that it does keeps the process alive. */
export function logUncaughtErrors(log: Logger): void {
  process.on("uncaughtExceptionMonitor", (err, origin) => log.fatal({ err, origin }, FAULT));
}
