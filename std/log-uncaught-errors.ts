/**
 * Logs an error that nothing handled. The program ends by it, with code 1, since its state is unknown: whoever runs it
 * restarts it. Without this its log would just stop, and the stack stand elsewhere.
 */
import type { Logger } from "./log.ts";

/** The last line of the log then. */
export const FAULT =
  "a fault in this program: an error that nothing handled; the process ends now and must be started again";

/** From this call on. A monitor rather than a handler: nothing that it does keeps the process alive. */
export function logUncaughtErrors(log: Logger): void {
  process.on("uncaughtExceptionMonitor", (err, origin) => log.fatal({ err, origin }, FAULT));
}
