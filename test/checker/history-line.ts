/**
 * The lines of a history, as docs/history-checker.md has them. A history is JSON Lines; files may be split and joined as
 * one likes. Nothing here is of the coordinator: whoever has the files and Node can judge them.
 */

export const PHASES = ["queued", "running", "succeeded", "failed", "cancelled", "timed_out", "expired"] as const;
export type Phase = (typeof PHASES)[number];

export const STATES = ["PENDING", "SUCCESS", "FAILURE"] as const;
export type State = (typeof STATES)[number];

export const FUNCTIONS = ["create", "get", "cancel"] as const;
export const OUTCOMES = ["ok", "fail", "info"] as const;

/** A task as one response showed it. */
export interface SeenTask {
  readonly state: State;
  readonly phase: Phase;
  /** Lower-case hexadecimal; null where there was no result, absent where it was not recorded. */
  readonly result_sha256?: string | null;
  /** When the prover made the result, where that shows: milliseconds since 1970. */
  readonly result_made?: number;
  readonly created?: string;
  readonly started?: string | null;
  readonly finished?: string | null;
}

/** Of a client's call: its invocation, or its return. `fail` did nothing; of `info` nobody knows. */
export interface CallLine {
  readonly kind: "call";
  readonly process: string;
  /** Unique within its process. */
  readonly call: number;
  readonly type: "invoke" | (typeof OUTCOMES)[number];
  readonly f: (typeof FUNCTIONS)[number];
  /** Milliseconds of one monotonic clock for all lines. */
  readonly at: number;
  readonly task_id?: string;
  readonly input_sha256?: string;
  /** The idempotency key of a create. */
  readonly key?: string;
  /** Null where the response was "not found". */
  readonly task?: SeenTask | null;
  readonly error?: string;
}

/** A write of a task's record, as a watcher of the store received it. */
export interface WriteLine {
  readonly kind: "write";
  readonly task_id: string;
  readonly revision: number;
  /** Null where the record was removed. */
  readonly phase: Phase | null;
  readonly attempt?: number;
  readonly node?: string;
  /** Of a claim: its time, milliseconds since 1970. */
  readonly claimed?: number;
  readonly input_sha256?: string;
  readonly result_sha256?: string;
  /** Milliseconds since 1970, as the record has them. */
  readonly created?: number;
  readonly started?: number | null;
  readonly finished?: number;
  /** When the watcher received it, by the clock of the calls. */
  readonly at?: number;
}

/** What ran on a machine, written by what ran. */
export interface ExecutionLine {
  readonly kind: "execution";
  readonly type: "start" | "finish";
  /** Of its start and its finish, and of no other execution. Without it they have the holder, attempt, token and node in common. */
  readonly run?: string;
  /** A task, or a workload. */
  readonly holder: string;
  /** In which an attempt runs. */
  readonly workload?: string;
  readonly attempt?: number;
  readonly token?: number;
  readonly node: string;
  readonly at: number;
  /** What it has for itself meanwhile, such as a GPU. */
  readonly uses?: readonly string[];
  readonly slots?: number;
  readonly result_sha256?: string;
}

export interface NodeLine {
  readonly kind: "node";
  readonly node: string;
  readonly slots: number;
}

/** `healed`, `node-died`, `agent-started`, `store-watched` and `clients-recorded` are judged; other names are notes. */
export interface MarkerLine {
  readonly kind: "marker";
  readonly name: string;
  readonly at: number;
  readonly node?: string;
}

export interface CountLine {
  readonly kind: "count";
  readonly name: string;
  readonly when: "before" | "after";
  readonly value: number;
  /** Of a count before: how many times as much there may be after; default 1. */
  readonly growth_max?: number;
}

/** A task of the operations `exportTasks` and `listTasks`. */
export interface TaskLine extends SeenTask {
  readonly kind: "task";
  readonly task_id: string;
  readonly created: string;
  readonly started: string | null;
  readonly finished: string | null;
  readonly attempt: number;
  readonly result_bytes: number | null;
}

/** An entry of the operation `listAudit`. */
export interface AuditLine {
  readonly kind: "audit";
  readonly entry_id: string;
  readonly created: string;
  readonly action: string;
  readonly object: { readonly kind: string; readonly id: string };
  readonly also: readonly { readonly kind: string; readonly id: string }[];
  /** How many others there was no room for; null where that is not known. */
  readonly also_left_out?: number | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export type HistoryLine =
  | CallLine
  | WriteLine
  | ExecutionLine
  | NodeLine
  | MarkerLine
  | CountLine
  | TaskLine
  | AuditLine;

/** Where a line is. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A line and where it is; null where it came from no file. */
export type At<L> = L & { readonly place: Place | null };
