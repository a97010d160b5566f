/**
 * Ends the process when it takes more memory than it may. The kernel's own limits do not fit here: they count what
 * V8 sets aside for each thread and never uses.
 */
import { writeSync } from "node:fs";

const LOOK_EVERY_MS = 50;
const STANDARD_ERROR = 2;

/** What the agent finds in the log of a process that was ended so. */
export const OUT_OF_MEMORY_WORDS = "elastic: out of memory";

export function watchMemory(bytesMax: number): void {
  const look = (): void => {
    const bytes = process.memoryUsage.rss();
    if (bytes <= bytesMax) return;
    writeSync(STANDARD_ERROR, `${OUT_OF_MEMORY_WORDS}: ${bytes} bytes, where ${bytesMax} are allowed\n`);
    process.kill(process.pid, "SIGKILL");
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}
