/**
 * Which queued task starts on which ready workload of its service. Pure; linear in the tasks dispatched
 * plus the workloads offered, never in the tasks that wait.
 *
 * Tasks go in their order (service-queue.ts: by priority and age), to the workload that runs the fewest, and among
 * those to the one that worked last: it is warm, and the others may idle away. A task passes over nodes on which it
 * failed while another can serve it, even if that one is busy now.
 */

import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";

export interface WaitingTask {
  readonly read: Versioned<Task>;
}

export interface ServingWorkload {
  readonly nodeId: string;
  readonly running: number;
  readonly concurrency: number;
  readonly idleSinceMs: number;
}

export interface Dispatched<T, W> {
  readonly task: T;
  readonly on: W;
}

/** Tasks that cannot start yet because of where they failed; beyond these the rest waits for the next turn. */
const PASSED_OVER_MAX = 64;

export function dispatch<T extends WaitingTask, W extends ServingWorkload>(
  waiting: Iterable<T>,
  serving: readonly W[],
): Dispatched<T, W>[] {
  const free = new FreeWorkloads(serving);
  const dispatched: Dispatched<T, W>[] = [];
  if (free.isEmpty()) return dispatched;
  let passedOver = 0;
  for (const task of waiting) {
    const on = free.take(nodesToAvoid(task.read.value.avoidNodeIds, serving));
    if (on !== null) dispatched.push({ task, on });
    else passedOver++;
    if (free.isEmpty() || passedOver >= PASSED_OVER_MAX) break;
  }
  return dispatched;
}

/** None if no other node could serve. */
function nodesToAvoid(avoided: readonly string[], serving: readonly ServingWorkload[]): readonly string[] {
  if (avoided.length === 0) return avoided;
  return serving.some((workload) => !avoided.includes(workload.nodeId)) ? avoided : [];
}

/** Workloads with room, in stacks by how many tasks they run. */
class FreeWorkloads<W extends ServingWorkload> {
  readonly #byLoad = new Map<number, W[]>();
  #lowest = Number.POSITIVE_INFINITY;
  #highest = -1;

  constructor(serving: readonly W[]) {
    for (const workload of serving.toSorted((a, b) => a.idleSinceMs - b.idleSinceMs)) {
      this.#put(workload, workload.running);
    }
  }

  isEmpty(): boolean {
    while (this.#lowest <= this.#highest && !this.#byLoad.get(this.#lowest)?.length) this.#lowest++;
    return this.#lowest > this.#highest;
  }

  take(avoidNodeIds: readonly string[]): W | null {
    for (let load = this.#lowest; load <= this.#highest; load++) {
      const stack = this.#byLoad.get(load) ?? [];
      const at = stack.findLastIndex((workload) => !avoidNodeIds.includes(workload.nodeId));
      const [taken] = at < 0 ? [] : stack.splice(at, 1);
      if (taken === undefined) continue;
      this.#put(taken, load + 1);
      return taken;
    }
    return null;
  }

  #put(workload: W, load: number): void {
    if (load >= workload.concurrency) return;
    const stack = this.#byLoad.get(load);
    if (stack === undefined) this.#byLoad.set(load, [workload]);
    else stack.push(workload);
    this.#lowest = Math.min(this.#lowest, load);
    this.#highest = Math.max(this.#highest, load);
  }
}
