/** What is known of one GPU or MIG instance: how it was last read, whether it is well, who holds it. */
import { type GpuHealth, HEALTHY, quarantined, type TestTimes, whyNotFree, whyUnhealthy } from "./gpu-health.ts";
import type { GpuReading } from "./nvml/reading.ts";

export class TrackedGpu {
  reading: GpuReading;
  health: GpuHealth = HEALTHY;
  /** The assignment whose workload has it, or had it until it is known to be free. */
  holder: string | null = null;
  /** Set once the holder is gone: when it must be free at the latest; monotonic. */
  freeByMs: number | null = null;
  /** In the newest reading. */
  present = true;
  testing = false;
  /** Called when something happened to it that spoils what runs on it. */
  onFault: ((why: string) => void) | null = null;

  constructor(reading: GpuReading) {
    this.reading = reading;
  }

  get uuid(): string {
    return this.reading.uuid;
  }

  /** Null for one that may be given out. */
  whyUnhealthy(): string | null {
    return whyUnhealthy(this.health);
  }

  quarantine(why: string, nowMs: number, times: TestTimes): void {
    this.health = quarantined(this.health, why, nowMs, times);
  }

  /** What runs on it cannot be trusted any more. */
  fault(why: string, nowMs: number, times: TestTimes): void {
    this.quarantine(why, nowMs, times);
    const report = this.onFault;
    this.onFault = null;
    report?.(why);
  }

  /** After its holder is gone: free, still waited for, or taken away from everybody. */
  settle(nowMs: number, times: TestTimes): void {
    if (this.freeByMs === null || !this.present) return;
    const why = whyNotFree(this.reading);
    if (why !== null && nowMs < this.freeByMs) return;
    if (why !== null) this.quarantine(`after a workload ended, ${why}`, nowMs, times);
    this.freeByMs = null;
    this.holder = null;
  }
}
