/** The lines of a history by what they record: calls with their invocation and return, and the rest as it is. */
import type {
  At,
  AuditLine,
  CallLine,
  CountLine,
  ExecutionLine,
  HistoryLine,
  MarkerLine,
  NodeLine,
  Place,
  TaskLine,
  WriteLine,
} from "./history-line.ts";

/** A call of a client. */
export interface Call {
  readonly f: CallLine["f"];
  readonly process: string;
  /** Null where it is not known, as of a create without a response. */
  readonly taskId: string | null;
  readonly invokedAt: number;
  /** Infinity where the outcome is unknown: it may take effect at any time. */
  readonly returnedAt: number;
  readonly outcome: "ok" | "fail" | "info";
  readonly inputSha256: string | null;
  readonly key: string | null;
  /** Null where the response was "not found"; undefined where it showed no task. */
  readonly task: CallLine["task"];
  /** Of its return; of its invocation where there is none. */
  readonly place: Place | null;
}

export interface History {
  readonly calls: readonly Call[];
  /** As the watcher received them. */
  readonly writes: readonly At<WriteLine>[];
  readonly executions: readonly At<ExecutionLine>[];
  readonly nodes: readonly At<NodeLine>[];
  readonly markers: readonly At<MarkerLine>[];
  readonly counts: readonly At<CountLine>[];
  readonly exported: readonly At<TaskLine>[];
  readonly audit: readonly At<AuditLine>[];
}

/** A line that contradicts the lines before it. */
interface Misplaced {
  readonly place: Place | null;
  readonly why: string;
}

export interface Built {
  readonly history: History;
  readonly misplaced: readonly Misplaced[];
}

export function historyOf(lines: Iterable<At<HistoryLine>>): Built {
  const calls: At<CallLine>[] = [];
  const history = {
    writes: [] as At<WriteLine>[],
    executions: [] as At<ExecutionLine>[],
    nodes: [] as At<NodeLine>[],
    markers: [] as At<MarkerLine>[],
    counts: [] as At<CountLine>[],
    exported: [] as At<TaskLine>[],
    audit: [] as At<AuditLine>[],
  };
  for (const line of lines) {
    if (line.kind === "call") calls.push(line);
    else if (line.kind === "write") history.writes.push(line);
    else if (line.kind === "execution") history.executions.push(line);
    else if (line.kind === "node") history.nodes.push(line);
    else if (line.kind === "marker") history.markers.push(line);
    else if (line.kind === "count") history.counts.push(line);
    else if (line.kind === "task") history.exported.push(line);
    else history.audit.push(line);
  }
  const paired = pair(calls);
  return { history: { calls: paired.calls, ...history }, misplaced: paired.misplaced };
}

/** In the order of invocations, as far as the file has them so. */
function pair(lines: readonly At<CallLine>[]): { calls: readonly Call[]; misplaced: readonly Misplaced[] } {
  const open = new Map<string, { readonly invoked: At<CallLine>; readonly index: number }>();
  const calls: Call[] = [];
  const misplaced: Misplaced[] = [];
  const ended = new Set<string>();
  for (const line of lines) {
    const id = `${line.process}\n${line.call}`;
    const begun = open.get(id);
    if (line.type === "invoke") {
      if (begun !== undefined || ended.has(id))
        misplaced.push({ place: line.place, why: `call ${line.call} of ${line.process} is invoked twice` });
      else open.set(id, { invoked: line, index: calls.push(callOf(line, null)) - 1 });
      continue;
    }
    if (begun === undefined) {
      misplaced.push({ place: line.place, why: `call ${line.call} of ${line.process} returns and was not invoked` });
    } else if (line.f !== begun.invoked.f || line.at < begun.invoked.at) {
      misplaced.push({
        place: line.place,
        why: `call ${line.call} of ${line.process} is not what was invoked, or returns before`,
      });
    } else {
      calls[begun.index] = callOf(begun.invoked, line);
      open.delete(id);
      ended.add(id);
    }
  }
  return { calls, misplaced };
}

function callOf(invoked: At<CallLine>, returned: At<CallLine> | null): Call {
  const outcome = returned === null || returned.type === "invoke" ? "info" : returned.type;
  return {
    f: invoked.f,
    process: invoked.process,
    taskId: returned?.task_id ?? invoked.task_id ?? null,
    invokedAt: invoked.at,
    returnedAt: outcome === "info" ? Number.POSITIVE_INFINITY : (returned?.at ?? 0),
    outcome,
    inputSha256: invoked.input_sha256 ?? null,
    key: invoked.key ?? null,
    task: returned?.task,
    place: returned?.place ?? invoked.place,
  };
}
