/** The latest reading of each other clock that is known: of coordinators and of machines of the fleet. */
import type { ClockReading } from "./clock-reading.ts";
import { type KnownClock, READING_ERROR_MS_MAX } from "./judge-clocks.ts";

/** Several intervals of heartbeats and of publications. */
const READING_AGE_MS_MAX = 60_000;

interface WallClock {
  /** Of this process's monotonic clock. */
  readonly aheadOfMonotonicMs: number;
}

export class ClockReadings {
  readonly #readings = new Map<string, ClockReading>();

  /** A reading that may be far off does not replace a good one. */
  note(of: string, reading: ClockReading): void {
    if (reading.errorMs <= READING_ERROR_MS_MAX) this.#readings.set(of, reading);
  }

  forget(of: string): void {
    this.#readings.delete(of);
  }

  has(of: string): boolean {
    return this.#readings.has(of);
  }

  /** By how much the clock of `of` is ahead of a wall clock; null where it is not known. */
  aheadOf(of: string, wall: WallClock): number | null {
    const reading = this.#readings.get(of);
    return reading === undefined ? null : aheadMs(reading, wall);
  }

  /** All that are not too old now, compared with a wall clock. */
  compareWith(wall: WallClock, nowMs: number): readonly KnownClock[] {
    for (const [of, { atMs }] of this.#readings) {
      if (nowMs - atMs > READING_AGE_MS_MAX) this.#readings.delete(of);
    }
    return [...this.#readings.values()].map((reading) => ({
      aheadMs: aheadMs(reading, wall),
      errorMs: reading.errorMs,
    }));
  }
}

/** The clocks' rates are the same for as long as a reading counts. */
function aheadMs({ wallMs, atMs }: ClockReading, { aheadOfMonotonicMs }: WallClock): number {
  return Math.round(wallMs - atMs - aheadOfMonotonicMs);
}
