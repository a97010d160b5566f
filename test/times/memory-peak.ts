/** How much memory a run takes at most, over all processes: what the machine had at the start less what it had left. */
import { readFileSync } from "node:fs";

const SAMPLE_EVERY_MS = 1000;

export interface MemoryPeak extends Disposable {
  /** MiB so far. */
  mib(): number;
}

export function watchMemory(availableMib: () => number = availableMemoryMib): MemoryPeak {
  const atStart = availableMib();
  let least = atStart;
  const timer = setInterval(() => {
    least = Math.min(least, availableMib());
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    mib: () => Math.round(atStart - least),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Without the page cache, which the kernel reclaims. 0 where there is no /proc. */
function availableMemoryMib(): number {
  try {
    return Number(/^MemAvailable: +(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
