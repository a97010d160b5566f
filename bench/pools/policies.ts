/** Which machines there are, by three policies: the service's own decisions on pools, a queue's length as KEDA goes by, and none. */
import type { Demand } from "@elastic/coordinator/domain/demand.ts";
import type { Pool } from "@elastic/coordinator/domain/pool.ts";
import { PoolWorld } from "@elastic/coordinator/pools/testing/pool-world.ts";

/** What a policy sees of the fleet at a step. */
export interface Seen {
  readonly now: number;
  readonly openTasks: number;
  readonly demand: () => readonly Demand[];
  readonly isEmpty: (id: string) => boolean;
}

export interface Changes {
  /** Machines to begin. */
  readonly begin: readonly string[];
  readonly drain: readonly string[];
  /** Machines that are empty, and cost nothing from now on. */
  readonly end: readonly string[];
}

export interface Policy {
  joined(id: string, now: number): void;
  /** Its machine will be taken away. */
  noticed(id: string): void;
  gone(id: string, now: number): void;
  step(seen: Seen): Changes;
}

/** The leader's own decisions and steps, over records in memory. */
export class PoolPolicy implements Policy {
  readonly #world: PoolWorld;
  #idleSince = new Map<string, number>();
  #taken = new Set<string>();

  constructor(pool: Pool) {
    this.#world = new PoolWorld(pool);
    this.#world.now = 0;
  }

  joined(id: string): void {
    this.#world.joins(id);
  }

  noticed(id: string): void {
    this.#world.changeNode(id, { drains: true, hasSpotNotice: true, state: "draining" });
  }

  gone(id: string, now: number): void {
    this.#world.changeNode(id, { state: "gone", since: now });
    this.#taken.add(id);
  }

  step({ now, demand, isEmpty }: Seen): Changes {
    const world = this.#world;
    for (const [id, node] of world.nodes) {
      if (node.state === "gone") continue;
      if (!isEmpty(id)) this.#idleSince.delete(id);
      else if (!this.#idleSince.has(id)) this.#idleSince.set(id, now);
      world.changeNode(id, { idleSince: this.#idleSince.get(id) ?? null });
    }
    const { grow, shrink } = world.turn(now - world.now, demand());
    const ended = world.calls.filter(({ what }) => what === "shrink").map(({ id }) => id);
    for (const id of grow) world.driverNames(id);
    for (const id of ended) {
      world.driverRemoved(id);
      world.nodes.delete(id);
      this.#idleSince.delete(id);
    }
    for (const [id, { releasedAt }] of world.machines) {
      if (releasedAt !== null && releasedAt < now - 26 * 3_600_000) world.machines.delete(id);
    }
    return { begin: grow, drain: shrink, end: ended.filter((id) => !this.#taken.delete(id)) };
  }
}

const POLL_MS = 30_000;
const STABILIZATION_MS = 300_000;

/**
 * By the queue's length: ceil(open tasks / target) machines, polled every 30 s; more at once, fewer once none of the last
 * 300 s wanted more. It removes empty machines first, and lets the others end what runs, which is more than KEDA does.
 */
export class QueueLengthPolicy implements Policy {
  readonly #max: number;
  readonly #target: number;
  readonly #machines = new Map<string, "there" | "draining">();
  #wanted: { readonly at: number; readonly count: number }[] = [];
  #polledAt = Number.NEGATIVE_INFINITY;
  #ids = 0;

  constructor(given: { readonly max: number; readonly target: number }) {
    this.#max = given.max;
    this.#target = given.target;
  }

  joined(): void {}

  noticed(id: string): void {
    this.#machines.set(id, "draining");
  }

  gone(id: string): void {
    this.#machines.delete(id);
  }

  step({ now, openTasks, isEmpty }: Seen): Changes {
    const end = [...this.#machines].filter(([id, state]) => state === "draining" && isEmpty(id)).map(([id]) => id);
    for (const id of end) this.#machines.delete(id);
    if (now - this.#polledAt < POLL_MS) return { begin: [], drain: [], end };
    this.#polledAt = now;
    const count = Math.min(this.#max, Math.ceil(openTasks / this.#target));
    this.#wanted = [...this.#wanted.filter(({ at }) => now - at < STABILIZATION_MS), { at: now, count }];
    const wanted = Math.max(...this.#wanted.map((one) => one.count));
    const there = [...this.#machines].filter(([, state]) => state === "there").map(([id]) => id);
    const begin = Array.from({ length: Math.max(0, wanted - there.length) }, () => `k${++this.#ids}`);
    for (const id of begin) this.#machines.set(id, "there");
    const surplus = Math.max(0, there.length - wanted);
    const drain = there.toSorted((a, b) => Number(isEmpty(b)) - Number(isEmpty(a))).slice(0, surplus);
    for (const id of drain) this.#machines.set(id, "draining");
    return { begin, drain, end };
  }
}

/** As many machines all week; what is taken away is replaced. */
export class FixedPolicy implements Policy {
  readonly #size: number;
  readonly #machines = new Set<string>();
  #ids = 0;

  constructor(size: number) {
    this.#size = size;
  }

  joined(): void {}

  noticed(): void {}

  gone(id: string): void {
    this.#machines.delete(id);
  }

  step(): Changes {
    const begin = Array.from({ length: this.#size - this.#machines.size }, () => `f${++this.#ids}`);
    for (const id of begin) this.#machines.add(id);
    return { begin, drain: [], end: [] };
  }
}
