/**
 * The wall clock of this process: that of its machine as of the start, and from then on as the monotonic clock counts. A
 * step of the machine's clock changes nothing here; it is set only where most clocks show that another time is right
 * (clock-keeper.ts).
 *
 * Where it is set ahead, what was stamped before has not grown older by that: `nowFor` leaves out the time that only the
 * clock passed. Where it is set back, stamps of before are in the future for a while: budgets.ts bounds what follows.
 */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import type { AgeClock } from "../domain/age-clock.ts";

/** More than a machine that is repaired sees; then the oldest are merged. */
const JUMPS_MAX = 16;

/** Both clocks are to be read within this time. */
const READ_WITHIN_MS = 20;
const READS_MAX = 10;

interface Jump {
  readonly from: Instant;
  readonly to: Instant;
}

export class GuardedClock implements AgeClock {
  readonly #machine: Clock;
  readonly #listeners = new Set<() => void>();
  /** Of the monotonic clock. */
  #aheadMs: number;
  #jumps: readonly Jump[] = [];
  #doubtedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(machine: Clock) {
    this.#machine = machine;
    this.#aheadMs = wallAheadMs(machine);
  }

  now(): Instant {
    return Math.floor(this.#machine.monotonicMs() + this.#aheadMs);
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs();
  }

  /** By how much the machine's wall clock is ahead of its monotonic clock, whose beginning means nothing. */
  machineAheadOfMonotonicMs(): number {
    return wallAheadMs(this.#machine);
  }

  /** By how much the machine's clock is ahead of this one. */
  machineAheadMs(): number {
    return Math.round(wallAheadMs(this.#machine) - this.#aheadMs);
  }

  nowFor(stamp: Instant): Instant {
    const passed = this.#jumps.map(({ from, to }) => Math.max(0, to - Math.max(from, stamp)));
    return this.now() - passed.reduce((sum, ms) => sum + ms, 0);
  }

  /** Never set ahead: for what forgets, since to forget late does no harm. */
  forForgetting(): Clock {
    return { now: () => this.nowFor(Number.NEGATIVE_INFINITY), monotonicMs: () => this.monotonicMs() };
  }

  /** Where it starts with nothing to compare it with, what it finds may look older than it is. */
  doubtFor(ms: number): void {
    this.#doubtedUntilMs = this.monotonicMs() + ms;
  }

  trust(): void {
    this.#doubtedUntilMs = Number.NEGATIVE_INFINITY;
  }

  leastRemainingMs(): number {
    return Math.max(0, this.#doubtedUntilMs - this.monotonicMs());
  }

  onSetBack(listener: () => void): () => void {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** Sets it ahead by `ms`, or back where that is negative. */
  set(ms: number): void {
    const from = this.now();
    this.#aheadMs += ms;
    const to = this.now();
    if (ms >= 0) {
      this.#jumps = merged([...this.#jumps, { from, to }]);
      return;
    }
    // What it had jumped over and is yet to come again was not jumped over.
    this.#jumps = this.#jumps.filter((jump) => jump.from < to).map((jump) => ({ ...jump, to: Math.min(jump.to, to) }));
    for (const listener of this.#listeners) listener();
  }
}

function merged(jumps: readonly Jump[]): readonly Jump[] {
  const [first, second, ...rest] = jumps;
  if (jumps.length <= JUMPS_MAX || first === undefined || second === undefined) return jumps;
  // As if both had been made at the second: of what was stamped between them more is left out.
  return [{ from: second.from - (first.to - first.from), to: second.to }, ...rest];
}

/** A process that is paused between two reads would take the pause for a step. */
function wallAheadMs(machine: Clock): number {
  for (let reads = 1; ; reads++) {
    const beforeMs = machine.monotonicMs();
    const wallMs = machine.now();
    const afterMs = machine.monotonicMs();
    if (afterMs - beforeMs <= READ_WITHIN_MS || reads === READS_MAX) return wallMs - (beforeMs + afterMs) / 2;
  }
}
