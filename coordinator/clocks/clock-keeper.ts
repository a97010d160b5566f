/**
 * Compares this machine's clock with all that are known, once a second, and sets the clock of this process only to what a
 * majority shows. While there is none, or no other clock is known, the process continues with the time that it had.
 */
import type { Logger } from "@elastic/std/log.ts";
import type { ClockReading } from "./clock-reading.ts";
import { ClockReadings } from "./clock-readings.ts";
import { describeClock } from "./describe-clock.ts";
import type { GuardedClock } from "./guarded-clock.ts";
import { CLOCK_TOLERANCE_MS, type ClockVerdict, judgeClocks } from "./judge-clocks.ts";

/** A smaller difference is left as it is: readings are not exact. */
const SET_FROM_MS = 1_000;
/** Stamps of files are of the machine's clock, and of two times for a while after a step of it. */
const FORGETS_NOTHING_AFTER_STEP_MS = 2 * 3_600_000;

export interface ClockKeeperOptions {
  readonly clock: GuardedClock;
  readonly log: Logger;
}

export class ClockKeeper {
  readonly readings = new ClockReadings();
  readonly #options: ClockKeeperOptions;
  #verdict: ClockVerdict = { standing: "alone", offsetMs: 0, known: 1, agreeing: 1 };
  #machineAheadMs = 0;
  #steppedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ClockKeeperOptions) {
    this.#options = options;
  }

  get verdict(): ClockVerdict {
    return this.#verdict;
  }

  /** What is wrong with this machine's clock; null where nothing is. */
  complaint(): string | null {
    return describeClock(this.#verdict);
  }

  /** A heartbeat of a node showed its clock. */
  noteNode(nodeId: string, reading: ClockReading): void {
    this.readings.note(`node/${nodeId}`, reading);
  }

  /** Whether what is removed for its age may be removed: no clock, and no step of this one, makes it look older. */
  mayForget(): boolean {
    const { standing } = this.#verdict;
    const isSteady = this.#options.clock.monotonicMs() - this.#steppedAtMs > FORGETS_NOTHING_AFTER_STEP_MS;
    return isSteady && (standing === "agrees" || standing === "alone");
  }

  compare(): void {
    const { clock } = this.#options;
    this.#noteStep(clock.machineAheadMs());
    this.#machineAheadMs = clock.machineAheadMs();
    const before = this.#verdict;
    this.#verdict = this.#judge(clock.machineAheadMs());
    const { standing, offsetMs } = this.#verdict;
    if (standing === "agrees" || standing === "off") {
      const wrongByMs = clock.machineAheadMs() - (standing === "off" ? offsetMs : 0);
      if (Math.abs(wrongByMs) >= SET_FROM_MS) this.setBy(wrongByMs);
      clock.trust();
    }
    if (standing !== before.standing) this.#report();
  }

  setBy(ms: number): void {
    this.#options.clock.set(ms);
    this.#machineAheadMs = this.#options.clock.machineAheadMs();
    this.#options.log.warn(
      { setByMs: ms },
      "set the clock of this coordinator, not the machine's, to that of the others",
    );
  }

  /** Against its own earlier time a clock that is known alone has no majority either. */
  #judge(machineAheadMs: number): ClockVerdict {
    const { clock } = this.#options;
    const machine = { aheadOfMonotonicMs: clock.machineAheadOfMonotonicMs() };
    const others = this.readings.compareWith(machine, clock.monotonicMs());
    const verdict = judgeClocks(others, this.#verdict.standing);
    if (verdict.standing !== "alone" || Math.abs(machineAheadMs) < CLOCK_TOLERANCE_MS) return verdict;
    return { ...verdict, standing: "no_majority", offsetMs: machineAheadMs };
  }

  #noteStep(machineAheadMs: number): void {
    const stepMs = machineAheadMs - this.#machineAheadMs;
    if (Math.abs(stepMs) < SET_FROM_MS) return;
    this.#steppedAtMs = this.#options.clock.monotonicMs();
    this.#options.log.warn(
      { stepMs },
      "the clock of this machine was set; the coordinator continues with its own time",
    );
  }

  #report(): void {
    const { log } = this.#options;
    const complaint = this.complaint();
    if (complaint === null) log.info(this.#verdict, "the clock of this machine agrees with the others that are known");
    else log.error(this.#verdict, complaint);
  }
}
