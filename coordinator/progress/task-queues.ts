/** What waits and runs of each service, as its workloads are counted by. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Task } from "../domain/task.ts";

export interface TaskQueue {
  readonly queued: number;
  readonly running: number;
  /** Of the task that has been in the queue for longest; null while nothing is queued. */
  readonly waitsSince: Instant | null;
}

/** Tasks of a service that wait for their first attempt. */
interface FirstWaits {
  readonly serviceId: string;
  readonly tasks: number;
  readonly since: Instant;
}

/** By service. `openTasks` are those that `firstWaits` does not count. */
export function taskQueues(
  openTasks: Iterable<Pick<Task, "serviceId" | "phase">>,
  firstWaits: Iterable<FirstWaits> = [],
): ReadonlyMap<string, TaskQueue> {
  const queues = new Map<string, { queued: number; running: number; waitsSince: Instant | null }>();
  for (const { serviceId, tasks, since } of firstWaits) {
    queues.set(serviceId, { queued: tasks, running: 0, waitsSince: since });
  }
  for (const { serviceId, phase } of openTasks) {
    if (phase.kind !== "queued" && phase.kind !== "running") continue;
    let queue = queues.get(serviceId);
    if (queue === undefined) {
      queue = { queued: 0, running: 0, waitsSince: null };
      queues.set(serviceId, queue);
    }
    if (phase.kind === "running") queue.running += 1;
    else {
      queue.queued += 1;
      queue.waitsSince = Math.min(queue.waitsSince ?? phase.since, phase.since);
    }
  }
  return queues;
}
