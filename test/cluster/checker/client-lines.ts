/** What clients did and saw, as lines of a history (test/checker/history-line.ts). */
import { createHash } from "node:crypto";
import type { CallLine, MarkerLine, SeenTask } from "../../checker/history-line.ts";
import type { ClientEvent } from "./client-history.ts";

export interface ClientLines {
  /** States that every create is in the history. */
  readonly beginning: MarkerLine;
  of(event: ClientEvent): readonly CallLine[];
}

/** `recorder` is unique among those whose lines are judged together. */
export function clientLines(recorder: string): ClientLines {
  const begun = new Set<number>();
  let reads = 0;
  const create = (event: Exclude<ClientEvent, { kind: "seen" }>, type: CallLine["type"]): CallLine => ({
    kind: "call",
    process: `${recorder}: create ${event.call}`,
    call: 1,
    type,
    f: "create",
    at: event.atMs,
  });
  return {
    beginning: { kind: "marker", name: "clients-recorded", at: 0 },
    of(event) {
      if (event.kind === "seen") {
        reads += 1;
        return readLines(event, `${recorder}: reader of ${event.taskId}`, reads);
      }
      if (event.kind === "create-begun") {
        begun.add(event.call);
        return [{ ...create(event, "invoke"), input_sha256: sha256(event.input) }];
      }
      const invoked = begun.delete(event.call) ? [] : [create(event, "invoke")];
      return [...invoked, returned(event, create)];
    },
  };
}

type Returned = Extract<ClientEvent, { kind: "created" | "create-refused" | "create-unknown" }>;

function returned(event: Returned, create: (event: Returned, type: CallLine["type"]) => CallLine): CallLine {
  if (event.kind === "created") return { ...create(event, "ok"), task_id: event.taskId };
  if (event.kind === "create-refused") return { ...create(event, "fail"), error: `status ${event.status}` };
  return { ...create(event, "info"), error: event.error };
}

function readLines(event: Extract<ClientEvent, { kind: "seen" }>, process: string, call: number): readonly CallLine[] {
  const { taskId, atMs, calledAtMs = atMs, state, phase, result, created, started, finished } = event;
  const get = { kind: "call", process, call, f: "get", task_id: taskId } as const;
  const digest = result === null ? null : sha256(result);
  const task = { state, phase, result_sha256: digest, created, started, finished } as SeenTask;
  return [
    { ...get, type: "invoke", at: calledAtMs },
    { ...get, type: "ok", at: atMs, task },
  ];
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
