/** What a run under a fault shows by its histories: of the time of the fault, and of every task. Pure. */
import { eventsOf } from "@elastic/coordinator/domain/timeline.ts";
import type { HistoryLine } from "../checker/history-line.ts";
import { violations } from "../cluster/checker/check-history.ts";
import type { ClientEvent } from "../cluster/checker/client-history.ts";
import type { StoreEvent } from "../cluster/checker/store-history.ts";
import type { Observed } from "./observed-client.ts";

/** An attempt that ended without a result, after which the task was queued again. */
interface Requeue {
  readonly taskId: string;
  /** By the wall clock of the coordinator that decided it. */
  readonly at: number;
  readonly nodeId: string | null;
  readonly reason: string | null;
}

interface EndedTask {
  readonly task_id: string;
  readonly state: string;
  readonly phase: string;
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export interface Run {
  readonly client: readonly ClientEvent[];
  readonly store: readonly StoreEvent[];
  /** Of agents that record them. */
  readonly executions: readonly HistoryLine[];
  readonly responses: readonly Observed[];
  readonly tasks: readonly EndedTask[];
  /** From the beginning of the fault to its end, by the clock of the histories. */
  readonly fault: { readonly fromMs: number; readonly toMs: number };
}

export interface Verdict {
  /** Creates that were accepted before, during and after the fault. */
  readonly accepted: { readonly before: number; readonly during: number; readonly after: number };
  /** The longest time without an accepted create, from the beginning of the fault on. */
  readonly longestGapMs: number;
  /** What half of the creates that were accepted during the fault took at most. */
  readonly medianCreateMs: number;
  /** How often each status other than success was returned, from the beginning of the fault on. */
  readonly refusals: ReadonlyMap<number, number>;
  /** Creates whose outcome the client does not know. */
  readonly unknown: number;
  /** Of the task that had the most. */
  readonly attemptsMax: number;
  readonly requeues: readonly Requeue[];
  /** That began, of attempts and of workloads, where agents record them. */
  readonly executions: number;
}

/** Null where nothing is broken, else all that is. */
export function whatIsBroken(run: Run): string | null {
  const failed = run.tasks.filter(({ state }) => state !== "SUCCESS");
  const { accepted } = verdictOf(run);
  const found = [
    ...violations({ client: run.client, store: run.store, executions: run.executions }),
    ...failed.map(
      ({ task_id, phase, failure }) => `task ${task_id} ended as ${phase}: ${failure?.reason}, ${failure?.message}`,
    ),
    ...run.responses
      .filter(({ status, retryAfter }) => status === 503 && !(Number(retryAfter) > 0))
      .map(({ retryAfter }) => `a 503 came with Retry-After ${retryAfter}`),
    ...(accepted.before > 0 && accepted.after > 0 ? [] : [`no work ran: ${JSON.stringify(accepted)}`]),
  ];
  return found.length === 0 ? null : found.join("\n");
}

export function verdictOf({ client, store, executions, responses, fault }: Run): Verdict {
  const { fromMs, toMs } = fault;
  const begun = new Map(client.flatMap((event) => (event.kind === "create-begun" ? [[event.call, event.atMs]] : [])));
  const created = client.filter((event) => event.kind === "created");
  const during = created.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const durations = during.map(({ call, atMs }) => atMs - (begun.get(call) ?? atMs)).sort((a, b) => a - b);
  const refused = responses.filter(({ atMs, status }) => atMs >= fromMs && status >= 300);
  const histories = lastOf(store);
  return {
    accepted: {
      before: created.filter(({ atMs }) => atMs < fromMs).length,
      during: during.length,
      after: created.filter(({ atMs }) => atMs >= toMs).length,
    },
    longestGapMs: longestGap([fromMs, ...created.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs)]),
    medianCreateMs: durations[Math.floor(durations.length / 2)] ?? Number.NaN,
    refusals: new Map([...Map.groupBy(refused, ({ status }) => status)].map(([status, all]) => [status, all.length])),
    unknown: client.filter(({ kind }) => kind === "create-unknown").length,
    attemptsMax: Math.max(0, ...histories.map(({ task }) => task?.attempts.started ?? 0)),
    requeues: histories.flatMap(requeuesOf),
    executions: executions.filter((line) => line.kind === "execution" && line.type === "start").length,
  };
}

function requeuesOf({ taskId, task }: StoreEvent): readonly Requeue[] {
  const events = eventsOf(task?.timeline ?? []);
  return events.flatMap(({ at, event, reason }, index) =>
    event === "requeued" ? [{ taskId, at, reason, nodeId: events[index - 1]?.nodeId ?? null }] : [],
  );
}

/** The last write of each task. */
function lastOf(store: readonly StoreEvent[]): readonly StoreEvent[] {
  return [...new Map(store.map((event) => [event.taskId, event])).values()];
}

function longestGap(timesMs: readonly number[]): number {
  return Math.max(0, ...timesMs.slice(1).map((atMs, index) => atMs - (timesMs[index] ?? atMs)));
}
