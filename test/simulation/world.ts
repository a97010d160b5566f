/**
 * Virtual time: one queue of what is due, in the order of time. Each entry belongs to a simulated process, runs in its
 * context, and is followed by all promises that it settled before the next comes. What a process that died was waiting for
 * never comes; what one that is paused was waiting for comes when it continues.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@elastic/std/clock.ts";
import { MinHeap } from "@elastic/std/heap.ts";
import type { Disk } from "./disk.ts";
import type { Random } from "./random.ts";
import { TraceHash } from "./trace-hash.ts";

/** When a run begins, by the wall clock. */
const BEGINNING = Date.UTC(2030, 0, 1);

/** The simulated process whose code runs now; none outside of a simulation. */
export const running = new AsyncLocalStorage<Process>();

export interface Due {
  atMs: number;
  order: number;
  readonly process: Process | null;
  readonly label: string;
  readonly act: () => void;
  isCancelled: boolean;
}

/** How the clock of a machine differs from true time. */
export interface Drift {
  /** Seconds that it counts in a second. */
  readonly rate: number;
  readonly wallAheadMs: number;
}

const EXACT: Drift = { rate: 1, wallAheadMs: 0 };

export class Process {
  readonly world: World;
  /** Of its machine: `c1`, `a1`. */
  readonly host: string;
  /** With the number of its start: `c1.2`. */
  readonly name: string;
  readonly disk: Disk | null;
  readonly drift: Drift;
  readonly clock: Clock;
  isAlive = true;
  pausedUntilMs = Number.NEGATIVE_INFINITY;
  /** What became due while it was paused. */
  readonly held: Due[] = [];
  readonly #onEnd: (() => void)[] = [];

  constructor(
    world: World,
    given: { readonly host: string; readonly name: string; readonly disk?: Disk | null; readonly drift?: Drift },
  ) {
    const { host, name, disk = null, drift = EXACT } = given;
    this.world = world;
    this.host = host;
    this.name = name;
    this.disk = disk;
    this.drift = drift;
    this.clock = {
      now: () => Math.floor(BEGINNING + drift.wallAheadMs + world.nowMs * drift.rate),
      monotonicMs: () => 1_000 + world.nowMs * drift.rate,
    };
  }

  /** As by SIGSTOP, and SIGCONT later. */
  pause(forMs: number): void {
    const { world } = this;
    this.pausedUntilMs = Math.max(this.pausedUntilMs, world.nowMs + forMs);
    world.in(null, forMs, "continue", () => {
      if (world.nowMs >= this.pausedUntilMs) this.continue();
    });
  }

  continue(): void {
    this.pausedUntilMs = Math.min(this.pausedUntilMs, this.world.nowMs);
    for (const due of this.held.splice(0)) this.world.push(due);
  }

  /** Runs `act` in the context of this process. */
  enter<T>(act: () => T): T {
    return running.run(this, act);
  }

  onEnd(listener: () => void): void {
    this.#onEnd.push(listener);
  }

  /** As by kill -9. */
  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    for (const listener of this.#onEnd) listener();
  }
}

const turnOfTheEventLoop = setImmediate;

export class World {
  readonly trace = new TraceHash();
  /** Of ids, and of whatever the product draws. */
  random: Random;
  /** What was thrown where nothing catches it: a real process would have ended. */
  readonly uncaught: string[] = [];
  nowMs = 0;
  /** Entries that were run. */
  steps = 0;
  readonly #due = new MinHeap<Due>((a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order));
  #order = 0;

  constructor(random: Random) {
    this.random = random;
  }

  in(process: Process | null, delayMs: number, label: string, act: () => void): Due {
    return this.at(process, this.nowMs + delayMs, label, act);
  }

  at(process: Process | null, atMs: number, label: string, act: () => void): Due {
    const due = { atMs, order: this.#order++, process, label, act, isCancelled: false };
    this.#due.push(due);
    return due;
  }

  /** Now, of what was held back. */
  push(due: Due): void {
    due.atMs = this.nowMs;
    due.order = this.#order++;
    this.#due.push(due);
  }

  /** Until virtual time `untilMs`, or earlier where `isOver` says so, which is looked at twice a second. */
  async run(untilMs: number, isOver: () => boolean = () => false): Promise<void> {
    let lookedAtMs = this.nowMs;
    for (;;) {
      const due = this.#due.peek();
      if (due === undefined || due.atMs > untilMs) break;
      this.#due.pop();
      if (due.isCancelled || due.process?.isAlive === false) continue;
      if (due.process !== null && due.process.pausedUntilMs > due.atMs) {
        due.process.held.push(due);
        continue;
      }
      this.nowMs = due.atMs;
      await this.#step(due);
      if (this.nowMs - lookedAtMs < 500) continue;
      lookedAtMs = this.nowMs;
      if (isOver()) return;
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  async #step({ process, label, act, atMs }: Due): Promise<void> {
    this.steps += 1;
    this.trace.add(atMs, `${process?.name ?? ""} ${label}`);
    try {
      if (process === null) act();
      else running.run(process, act);
    } catch (error) {
      this.uncaught.push(
        `${process?.name ?? "the simulation"}: ${error instanceof Error ? error.stack : String(error)}`,
      );
    }
    await new Promise<void>((resolve) => {
      turnOfTheEventLoop(resolve);
    });
  }
}
