/** What the steps of a turn work with. */
import type { Logger } from "@elastic/std/log.ts";
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import type { AgeClock } from "../../domain/age-clock.ts";
import type { FollowedLinks } from "../../domain/link-liveness.ts";
import type { LoadMetrics } from "../../metrics/load-metrics.ts";
import type { SchedulerMetrics } from "../../metrics/scheduler-metrics.ts";
import type { TaskMetrics } from "../../metrics/task-metrics.ts";
import type { Store } from "../../store/store.ts";
import type { SchedulerView } from "../view/scheduler-view.ts";
import type { Committer } from "./committer.ts";
import type { Isolation } from "./isolation.ts";

export interface SchedulerOptions {
  readonly store: Store;
  /** Of all coordinators. */
  readonly links: FollowedLinks;
  readonly clock: AgeClock;
  readonly log: Logger;
  readonly metrics: {
    readonly scheduler: SchedulerMetrics;
    readonly load: LoadMetrics;
    readonly tasks: TaskMetrics;
    readonly tracing: Pick<Tracing, "record">;
  };
}

/** What a step of a turn works with. */
export interface TurnContext extends SchedulerOptions {
  readonly view: SchedulerView;
  readonly committer: Committer;
  readonly isolation: Isolation;
  /** Of this term, compared by every commit. */
  readonly epoch: number;
  /** There may be something to decide. */
  readonly wake: () => void;
}
