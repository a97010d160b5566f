/**
 * Moves ended tasks from the store to the archive: put there first, then removed here, then settled. Each step may
 * be the last one of this process; whoever leads next repeats it, which is idempotent.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { ArchiveMetrics } from "../metrics/archive-metrics.ts";
import { remove, removeBytes } from "../store/change.ts";
import type { Kv } from "../store/kv.ts";
import { READ_TASKS_MAX, readEndedTasks, type StoredTask } from "../store/read-ended-tasks.ts";
import type { Change, Store } from "../store/store.ts";
import type { Archive } from "./archive.ts";
import { chooseDue, type LiveLimits } from "./choose-due.ts";

/** Put by one transaction of the archive. */
const BATCH_TASKS = 5 * READ_TASKS_MAX;
/** Three keys each; etcd takes 128 in a transaction. */
const REMOVED_AT_ONCE = 40;
/**
 * A task that left the store may still be counted as there by a reader that looked a moment ago, at a coordinator
 * whose view was behind: a view is at most 4 s old, and a list takes no longer than a few seconds.
 */
const SETTLE_AFTER_MS = 15_000;
/** Looked at together: over a thousand tasks a second may end for long and are still settled. */
const ARRIVING_MAX = 20_000;
const SETTLE_TASKS = 500;

export interface MoverOptions {
  readonly kv: Pick<Kv, "read">;
  readonly store: { readonly view: Pick<Store["view"], "tasks">; commit: Store["commit"] };
  readonly archive: Pick<Archive, "put" | "arriving" | "settle">;
  readonly limits: LiveLimits;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<ArchiveMetrics, "archived">;
  /** Default ARRIVING_MAX. */
  readonly arrivingMax?: number;
}

export class Mover {
  readonly #options: MoverOptions;
  /** When each arriving task was first seen to be gone from the store. */
  #goneSinceMs = new Map<string, number>();
  #mayBeArriving = true;

  constructor(options: MoverOptions) {
    this.#options = options;
  }

  /** Moves a batch. Returns whether there may be more to move at once. */
  async move(): Promise<boolean> {
    const { kv, store, archive, limits, clock, log, metrics } = this.#options;
    const ids = chooseDue(store.view.tasks.endedEntries, limits, clock.now(), BATCH_TASKS);
    if (ids.length === 0) return false;
    const tasks: StoredTask[] = [];
    for (let from = 0; from < ids.length; from += READ_TASKS_MAX) {
      tasks.push(...(await readEndedTasks(kv, ids.slice(from, from + READ_TASKS_MAX), log)));
    }
    this.#mayBeArriving = true;
    await archive.put(tasks.map(({ read, input, result }) => ({ task: read.value, input, result })));
    const removed = await this.#remove(tasks);
    metrics.archived(removed);
    // Where nothing moved, the next turn may know better.
    return ids.length === BATCH_TASKS && removed > 0;
  }

  /**
   * Many by one commit. Where one of them is gone already, by another that leads, all of it is left to the next turn.
   * Returns how many were removed.
   */
  async #remove(tasks: readonly StoredTask[]): Promise<number> {
    const groups: (readonly StoredTask[])[] = [];
    for (let from = 0; from < tasks.length; from += REMOVED_AT_ONCE) {
      groups.push(tasks.slice(from, from + REMOVED_AT_ONCE));
    }
    // All are waited for: a commit that is still under way would meet the next batch.
    const outcomes = await Promise.allSettled(
      groups.map((group) => this.#options.store.commit(group.flatMap(removalOf))),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const isRemoved = outcomes.map((outcome) => outcome.status === "fulfilled" && outcome.value.kind === "committed");
    return groups.filter((_group, index) => isRemoved[index]).flat().length;
  }

  /** Settles what has been gone from the store for long enough that no reader counts it there. */
  async settle(): Promise<void> {
    const { archive, clock, store, arrivingMax = ARRIVING_MAX } = this.#options;
    if (!this.#mayBeArriving) return;
    const arriving = await archive.arriving(arrivingMax);
    const nowMs = clock.monotonicMs();
    const { tasks } = store.view;
    const gone = arriving.filter((id) => !tasks.endedEntries.has(id) && tasks.get(id) === undefined);
    this.#goneSinceMs = new Map(gone.map((id) => [id, this.#goneSinceMs.get(id) ?? nowMs]));
    const due = gone.filter((id) => nowMs - (this.#goneSinceMs.get(id) ?? nowMs) >= SETTLE_AFTER_MS);
    for (let from = 0; from < due.length; from += SETTLE_TASKS) {
      await archive.settle(due.slice(from, from + SETTLE_TASKS));
    }
    // Where there were as many as are looked at, there may be more.
    this.#mayBeArriving = arriving.length > due.length || arriving.length === arrivingMax;
  }
}

function removalOf({ read, input, result }: StoredTask): Change[] {
  const { id } = read.value;
  return [
    remove("tasks", read),
    ...(input === null ? [] : [removeBytes("input", id)]),
    ...(result === null ? [] : [removeBytes("result", id)]),
  ];
}
