/** How far the start of a workload is, and which of it is worth a report: each step at once, bytes now and then. */
import type { Clock } from "@elastic/std/clock.ts";

/** Bringing the image in, then the volume, starting the container, waiting for its health. */
export type StartStep = "pulling" | "fetching" | "starting" | "checking";

export interface StartProgress {
  readonly step: StartStep;
  /** Brought in for the workload until now. */
  readonly doneBytes: number;
  /** As far as it is known. */
  readonly totalBytes: number;
  /** With `checking`, once it lasts. */
  readonly checking?: CheckingSigns;
}

/** What shows of a prover that runs and is not healthy yet. */
export interface CheckingSigns {
  /** What keeps it from that; empty for nothing. */
  readonly warning: string;
  /** The end of what it wrote since it was started. */
  readonly logTail: string;
}

export type ReportProgress = (progress: StartProgress) => void;

const BYTES_EVERY_MS = 500;

export class StartReporter {
  readonly #clock: Clock;
  #latest: StartProgress | null = null;
  #reportedAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null before the first step. */
  get latest(): StartProgress | null {
    return this.#latest;
  }

  /** Another start begins. */
  reset(): void {
    this.#latest = null;
  }

  /** Whether it is worth a report now. */
  take(progress: StartProgress): boolean {
    const isStep =
      this.#latest?.step !== progress.step || this.#latest.checking?.warning !== progress.checking?.warning;
    this.#latest = progress;
    const nowMs = this.#clock.monotonicMs();
    if (!isStep && nowMs - this.#reportedAtMs < BYTES_EVERY_MS) return false;
    this.#reportedAtMs = nowMs;
    return true;
  }
}
