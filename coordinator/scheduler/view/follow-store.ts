/** Keeps a scheduler's view in step with the store's, from now until it is stopped. */
import type { AgeClock } from "../../domain/age-clock.ts";
import type { FollowedLinks } from "../../domain/link-liveness.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { View } from "../../store/store.ts";
import type { SchedulerView } from "./scheduler-view.ts";

/** Half a millisecond: others are served in between, however many tasks wait. */
const SLICE_TASKS = 250;

export interface FollowListener {
  /** After each change. */
  readonly onChange: () => void;
  /** Once, when all that there is has been loaded: at once where few tasks wait. */
  readonly onLoaded: () => void;
}

/** Loads what there is, and follows what comes from now on. Returns the way to stop. */
export function followStore(
  view: SchedulerView,
  from: { readonly records: View; readonly links: FollowedLinks; readonly clock: AgeClock },
  { onChange, onLoaded }: FollowListener,
): () => void {
  const { records, links, clock } = from;
  const isLinked = (nodeId: string) => links.of(nodeId)?.kind === "linked";

  for (const read of records.deployments.values()) view.putDeployment(read.value.id, read);
  for (const read of records.services.values()) view.putService(read.value.id, read, clock.monotonicMs());
  for (const read of records.shells.values()) view.shells.put(read.value.id, read);
  for (const read of records.builds.values()) view.builds.put(read.value.id, read);
  for (const read of records.nodes.values()) {
    view.putNode(read.value.id, read, Number.NEGATIVE_INFINITY);
    view.putLink(read.value.id, isLinked(read.value.id));
  }
  for (const read of records.assignments.values()) {
    const heldForMs = Math.max(0, clock.nowFor(read.value.createdAt) - read.value.createdAt);
    view.putAssignment(read.value.id, read, clock.monotonicMs(), heldForMs);
  }
  for (const read of records.workloads.values()) {
    view.putWorkload(read.value.assignmentId, read, clock.monotonicMs());
  }
  const putTask = (id: string, read: Versioned<Task> | undefined, leastMs: number) =>
    view.putTask(id, read, clock.nowFor(sinceOf(read?.value)), clock.monotonicMs(), leastMs);
  for (const read of records.tasks.begun()) putTask(read.value.id, read, clock.leastRemainingMs());

  const followed =
    <A extends readonly unknown[]>(apply: (...change: A) => void) =>
    (...change: A) => {
      apply(...change);
      onChange();
    };
  const stops = [
    records.deployments.subscribe(followed(({ id, after }) => view.putDeployment(id, after))),
    records.services.subscribe(followed(({ id, after }) => view.putService(id, after, clock.monotonicMs()))),
    records.shells.subscribe(followed(({ id, after }) => view.shells.put(id, after))),
    records.builds.subscribe(followed(({ id, after }) => view.builds.put(id, after))),
    records.nodes.subscribe(followed(({ id, after }) => view.putNode(id, after, clock.monotonicMs()))),
    records.assignments.subscribe(followed(({ id, after }) => view.putAssignment(id, after, clock.monotonicMs()))),
    records.workloads.subscribe(followed(({ id, after }) => view.putWorkload(id, after, clock.monotonicMs()))),
    records.tasks.subscribe(followed(({ id, after }) => putTask(id, after, 0))),
    links.subscribe(followed((nodeId) => view.putLink(nodeId, isLinked(nodeId)))),
  ];
  const stopped = new AbortController();
  // Those that changed since have been put already, as they are now.
  const unknown = records.tasks.values()[Symbol.iterator]();
  const loadSome = () => {
    for (let left = SLICE_TASKS; left > 0 && !stopped.signal.aborted; left--) {
      const { done, value: read } = unknown.next();
      if (done) return onLoaded();
      const { id } = read.value;
      if (view.tasks.get(id) === undefined) putTask(id, read, clock.leastRemainingMs());
    }
    if (!stopped.signal.aborted) setImmediate(loadSome);
  };
  loadSome();
  return () => {
    stopped.abort();
    for (const stop of stops) stop();
  };
}

/** Of the phase that it is in. */
function sinceOf(task: Task | undefined): number {
  return task !== undefined && "since" in task.phase ? task.phase.since : 0;
}
