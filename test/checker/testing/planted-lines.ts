/** Lines of histories, for planting what is wrong in them. */
import { historyOf } from "../history.ts";
import type {
  CallLine,
  CountLine,
  ExecutionLine,
  HistoryLine,
  MarkerLine,
  Phase,
  SeenTask,
  TaskLine,
  WriteLine,
} from "../history-line.ts";
import { type Judged, judge } from "../judge.ts";

export const DIGEST = "a".repeat(64);
export const OTHER_DIGEST = "b".repeat(64);

let calls = 0;

/** Its invocation and its return, `ms` later. */
export function call(
  f: CallLine["f"],
  at: number,
  { ms = 1, type = "ok", process = "p", ...fields }: Partial<CallLine> & { readonly ms?: number } = {},
): readonly CallLine[] {
  calls += 1;
  const { task_id, input_sha256, key, task } = fields;
  const named = f === "create" || task_id === undefined ? {} : { task_id };
  const of = { kind: "call", process, call: calls, f } as const;
  const invoked = { ...(input_sha256 === undefined ? {} : { input_sha256 }), ...(key === undefined ? {} : { key }) };
  const returned = { ...(task_id === undefined ? {} : { task_id }), ...(task === undefined ? {} : { task }) };
  return [
    { ...of, type: "invoke", at, ...named, ...invoked },
    { ...of, type, at: at + ms, ...returned },
  ];
}

export function created(at: number, fields: Partial<CallLine> = {}): readonly CallLine[] {
  return call("create", at, { task_id: "t", ...fields });
}

export function read(at: number, task: SeenTask | null, fields: Partial<CallLine> & { ms?: number } = {}) {
  return call("get", at, { task_id: "t", task, ...fields });
}

export const PENDING: SeenTask = {
  state: "PENDING",
  phase: "queued",
  result_sha256: null,
  started: null,
  finished: null,
};
export const SUCCESS: SeenTask = {
  state: "SUCCESS",
  phase: "succeeded",
  result_sha256: DIGEST,
  created: "2026-01-01T00:00:00",
  started: "2026-01-01T00:00:01",
  finished: "2026-01-01T00:00:02",
};
export const CANCELLED: SeenTask = { state: "FAILURE", phase: "cancelled", result_sha256: null };

export function write(revision: number, phase: Phase | null, fields: Partial<WriteLine> = {}): WriteLine {
  return { kind: "write", task_id: "t", revision, phase, ...fields };
}

export function succeeded(revision: number, attempt: number, fields: Partial<WriteLine> = {}): WriteLine {
  return write(revision, "succeeded", { attempt, result_sha256: DIGEST, ...fields });
}

/** One attempt that succeeds. */
export const PROVED: readonly WriteLine[] = [write(1, "queued"), write(2, "running", { attempt: 1 }), succeeded(3, 1)];

export function ran(type: ExecutionLine["type"], at: number, fields: Partial<ExecutionLine> = {}): ExecutionLine {
  return { kind: "execution", type, holder: "t", attempt: 1, token: 2, node: "n", at, ...fields };
}

export function marker(name: string, at: number, fields: Partial<MarkerLine> = {}): MarkerLine {
  return { kind: "marker", name, at, ...fields };
}

export function counted(when: CountLine["when"], value: number, fields: Partial<CountLine> = {}): CountLine {
  return { kind: "count", name: "descriptors", when, value, ...fields };
}

export function exported(fields: Partial<TaskLine> = {}): TaskLine {
  const { state, phase } = SUCCESS;
  const times = { created: "2026-01-01T00:00:00", started: "2026-01-01T00:00:01", finished: "2026-01-01T00:00:02" };
  return { kind: "task", task_id: "t", state, phase, ...times, attempt: 1, result_bytes: 2, ...fields };
}

/** The sentences of one check; null where it could not run. */
export function sentencesOf(name: string, lines: readonly HistoryLine[]): readonly string[] | null {
  const { judged, violations } = judgedBy(name, lines);
  return judged === null ? null : violations.map(({ sentence }) => sentence);
}

export function judgedBy(name: string, lines: readonly HistoryLine[]): Judged {
  const { history, misplaced } = historyOf(
    lines.map((line, index) => ({ ...line, place: { file: "h", line: index + 1 } })),
  );
  if (misplaced.length > 0) throw new Error(JSON.stringify(misplaced));
  const found = judge(history).find((check) => check.name === name);
  if (found === undefined) throw new Error(`there is no check ${name}`);
  return found;
}
