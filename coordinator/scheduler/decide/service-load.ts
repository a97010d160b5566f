/** What each service has waiting and running, for those who watch: read when somebody scrapes. Pure. */
import type { Instant } from "@elastic/std/clock.ts";
import type { ServiceEntry } from "./entries.ts";

export interface ServiceLoad {
  readonly serviceId: string;
  readonly teamId: string;
  /** Age of the oldest task that waits; null where none does. */
  readonly oldestMs: number | null;
  readonly queued: number;
  readonly running: number;
  /** Workloads that are ready. */
  readonly workloads: number;
  /** Held by its workloads, those included that come up. */
  readonly slots: number;
}

/** Services without tasks and workloads are left out. */
export function* serviceLoads(services: Iterable<ServiceEntry>, now: Instant): Iterable<ServiceLoad> {
  for (const { id, read, queue, running, assignments } of services) {
    if (read === null || (queue.size === 0 && running.size === 0 && assignments.size === 0)) continue;
    const oldestAt = queue.oldestCreatedAt();
    const entries = [...assignments];
    yield {
      serviceId: id,
      teamId: read.value.teamId,
      oldestMs: oldestAt === null ? null : Math.max(0, now - oldestAt),
      queued: queue.size,
      running: running.size,
      workloads: entries.filter(({ workload }) => workload?.value.phase === "ready").length,
      slots: entries.reduce((sum, { value }) => sum + value.slots, 0),
    };
  }
}
