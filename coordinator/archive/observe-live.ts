/** Metrics of the ended tasks that have not moved yet. */
import type { Clock } from "@elastic/std/clock.ts";
import type { ArchiveMetrics } from "../metrics/archive-metrics.ts";
import type { TaskView } from "../store/store.ts";

export function observeLive(
  metrics: Pick<ArchiveMetrics, "observeLive">,
  tasks: Pick<TaskView, "endedEntries">,
  clock: Clock,
): void {
  metrics.observeLive(() => {
    const now = clock.now();
    let first = now;
    for (const { usage } of tasks.endedEntries.values()) first = Math.min(first, usage.finishedAt);
    return { ended: tasks.endedEntries.size, lagMs: now - first };
  });
}
