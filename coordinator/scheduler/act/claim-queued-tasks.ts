/** The step of a turn that dispatches: claims queued tasks for ready workloads. */
import { claim } from "../../domain/task.ts";
import { taskSpan } from "../../domain/task-span.ts";
import { replace } from "../../store/change.ts";
import { type Dispatched, dispatch, type ServingWorkload } from "../decide/dispatch.ts";
import type { AssignmentEntry, OpenTask, ServiceEntry } from "../decide/entries.ts";
import { isServing } from "../decide/usable-workloads.ts";
import type { TurnContext } from "./turn-context.ts";

interface Serving extends ServingWorkload {
  readonly entry: AssignmentEntry;
}

export function claimQueuedTasks(context: TurnContext, services: Iterable<ServiceEntry>): void {
  context.isolation.each("service", services, (service) => {
    if (service.queue.size === 0) return;
    for (const start of dispatch(service.queue, servingWorkloads(context, service))) commitClaim(context, start);
  });
}

/** The workloads of the service that may be given tasks. */
export function servingWorkloads({ view }: TurnContext, service: ServiceEntry): Serving[] {
  const serving: Serving[] = [];
  for (const entry of service.assignments) {
    const concurrency = view.deployments.get(entry.value.workload.deploymentId)?.limits.concurrency;
    if (concurrency === undefined || !isServing(entry)) continue;
    const { idleSinceMs, running } = entry;
    serving.push({ entry, nodeId: entry.node.id, running: running.size, concurrency, idleSinceMs });
  }
  return serving;
}

function commitClaim(context: TurnContext, { task, on }: Dispatched<OpenTask, Serving>): void {
  const { view, committer, clock, metrics } = context;
  const { read } = task;
  const node = on.entry.node.read?.value;
  if (node === undefined) return;
  const to = { nodeId: node.id, sessionId: node.sessionId, assignmentId: on.entry.id };
  const now = clock.now();
  view.tasks.reserve(task, on.entry);
  committer.commit([replace("tasks", read, claim(read.value, to, now))], {
    committed: () => {
      metrics.tasks.claimed(now - read.value.createdAt);
      const { phase, traceparent } = read.value;
      const fromMs = "since" in phase ? phase.since : now;
      metrics.tracing.record(traceparent, { ...taskSpan("queue", read.value), fromMs, toMs: clock.now() });
    },
    refused: () => view.tasks.release(task, read, clock.monotonicMs()),
  });
}
