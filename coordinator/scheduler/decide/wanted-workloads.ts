/**
 * How many workloads a service shall have, by how long its tasks wait. Pure.
 *
 * With `n` workloads, each taking `c` tasks at a time, the last of the open tasks waits about
 * (open - n c) / (n c) runs; the fewest that keep this within the target are wanted. So tasks that are quick compared to the
 * target share few workloads, and of those that are long each gets its own. Where no run has ended yet a run counts as
 * long. What is estimated is held against what is seen: a first task that waits beyond the target requires as many more
 * as it waits longer.
 *
 * More are wanted at once; fewer end by being idle (decide-placement.ts), so that a load that comes and goes does not start and
 * end workloads with it.
 */
import type { Deployment } from "../../domain/deployment.ts";

/** Of the runs before, the newest counts so much. */
const NEWEST_COUNTS = 0.1;

export interface Load {
  /** Tasks that wait or run. */
  readonly open: number;
  /** Workloads that take tasks. */
  readonly serving: number;
  /** Of a run; null where none has ended yet. */
  readonly meanRunMs: number | null;
  /** How long the task that is served next has been waiting. */
  readonly waitedMs: number;
}

export function wantedWorkloads(load: Load, { scaling, limits }: Pick<Deployment, "scaling" | "limits">): number {
  const { min, max, targetQueueMs } = scaling;
  const allAtOnce = Math.ceil(load.open / limits.concurrency);
  if (allAtOnce <= min) return min;
  const share = load.meanRunMs === null ? 1 : load.meanRunMs / (load.meanRunMs + targetQueueMs);
  const estimated = Math.max(1, Math.ceil((load.open * share) / limits.concurrency));
  const seen = Math.ceil((load.serving * load.waitedMs) / targetQueueMs);
  const wanted = Math.min(allAtOnce, load.waitedMs > targetQueueMs ? Math.max(estimated, seen) : estimated);
  return Math.min(max, Math.max(min, wanted));
}

/** The mean after one more run. */
export function meanRunAfter(meanMs: number | null, runMs: number): number {
  return meanMs === null ? runMs : meanMs + NEWEST_COUNTS * (runMs - meanMs);
}
