/** Gives a task that is being created a place at once, if it would be the next to start anyway. */
import type { Reservation } from "../../domain/claim-at-creation.ts";
import { claim, type Task } from "../../domain/task.ts";
import { taskSpan } from "../../domain/task-span.ts";
import { dispatch } from "../decide/dispatch.ts";
import { servingWorkloads } from "./claim-queued-tasks.ts";
import type { TurnContext } from "./turn-context.ts";

/** Null where tasks of the service wait already, or no workload has room. */
export function claimNewTask(context: TurnContext, queued: Task): Reservation | null {
  const { view, clock, metrics, epoch, wake } = context;
  const service = view.services.get(queued.serviceId);
  if (service === undefined || service.queue.size > 0) return null;
  // Not in the store yet.
  const read = { value: queued, revision: 0 };
  const [start] = dispatch([{ read }], servingWorkloads(context, service));
  const on = start?.on.entry;
  const node = on?.node.read?.value;
  if (on === undefined || node === undefined) return null;
  const place = { nodeId: node.id, sessionId: node.sessionId, assignmentId: on.id };
  const now = clock.now();
  view.tasks.admit(read, on);
  return {
    task: claim(queued, place, now),
    epoch,
    confirm: () => {
      metrics.tasks.claimed(now - queued.createdAt);
      metrics.tracing.record(queued.traceparent, {
        ...taskSpan("queue", queued),
        fromMs: queued.createdAt,
        toMs: clock.now(),
      });
    },
    release: () => {
      view.tasks.dismiss(read, clock.monotonicMs());
      wake();
    },
  };
}
