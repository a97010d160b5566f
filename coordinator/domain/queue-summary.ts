/** What waits and what runs, over all teams: for those who run the service. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Task } from "./task.ts";

export interface ServiceQueue {
  readonly serviceId: string;
  readonly teamId: string;
  readonly queued: number;
  readonly running: number;
  /** Null while nothing is queued. */
  readonly oldestQueuedAt: Instant | null;
}

/** Tasks of a service that wait for their first attempt. */
interface FirstWaits {
  readonly serviceId: string;
  readonly teamId: string;
  readonly tasks: number;
  readonly since: Instant;
}

/**
 * By service, the one whose oldest task waits longest first; those where nothing waits last. `openTasks` are those that
 * `firstWaits` does not count.
 */
export function queuesByService(
  openTasks: Iterable<Pick<Task, "serviceId" | "teamId" | "createdAt" | "phase">>,
  firstWaits: Iterable<FirstWaits> = [],
): readonly ServiceQueue[] {
  const queues = new Map<string, ServiceQueue>();
  for (const { serviceId, teamId, tasks, since } of firstWaits) {
    queues.set(serviceId, { serviceId, teamId, queued: tasks, running: 0, oldestQueuedAt: since });
  }
  for (const { serviceId, teamId, createdAt, phase } of openTasks) {
    const before = queues.get(serviceId) ?? { serviceId, teamId, queued: 0, running: 0, oldestQueuedAt: null };
    if (phase.kind === "running") queues.set(serviceId, { ...before, running: before.running + 1 });
    if (phase.kind !== "queued") continue;
    const oldestQueuedAt = Math.min(before.oldestQueuedAt ?? createdAt, createdAt);
    queues.set(serviceId, { ...before, queued: before.queued + 1, oldestQueuedAt });
  }
  const waitsSince = ({ oldestQueuedAt }: ServiceQueue) => oldestQueuedAt ?? Number.POSITIVE_INFINITY;
  return [...queues.values()].sort((a, b) => compare(waitsSince(a), waitsSince(b)) || b.running - a.running);
}

function compare(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
