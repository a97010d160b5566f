/** What is known of a service over the last day: by the minute for three hours, by ten minutes for all of it. */
import type { Instant } from "@elastic/std/clock.ts";
import type { TaskUsage } from "../domain/task-usage.ts";
import type { Figures, Sample, Span } from "./figures.ts";
import { PointRing } from "./point-ring.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const FINE_STEP_MS = MINUTE_MS;
export const COARSE_STEP_MS = 10 * MINUTE_MS;
export const FINE_MS = 3 * HOUR_MS;
export const COARSE_MS = 24 * HOUR_MS;
/** Clients whose clocks are so far behind have all that they request. */
export const CLOCKS_APART_MS = 5 * MINUTE_MS;
/** A span is rounded to its steps, of at most five minutes where it is fine and of an hour where it is not. */
const FINE_POINTS = (FINE_MS + CLOCKS_APART_MS + 5 * MINUTE_MS) / FINE_STEP_MS;
const COARSE_POINTS = (COARSE_MS + 2 * HOUR_MS) / COARSE_STEP_MS;

export class ServiceSeries {
  readonly #fine = new PointRing(FINE_STEP_MS, FINE_POINTS);
  readonly #coarse = new PointRing(COARSE_STEP_MS, COARSE_POINTS);

  addEnded(usage: TaskUsage): void {
    this.#fine.addEnded(usage);
    this.#coarse.addEnded(usage);
  }

  addSample(sample: Sample, at: Instant): void {
    this.#fine.addSample(sample, at);
    this.#coarse.addSample(sample, at);
  }

  /** All of a span as one; both ends are multiples of `stepMs`, which is one of fine or of coarse steps. */
  figures(span: Span, stepMs: number): Figures {
    const ring = stepMs % COARSE_STEP_MS === 0 ? this.#coarse : this.#fine;
    return ring.figures(span);
  }
}
