/** Writes of tasks' records, as lines of a history (test/checker/history-line.ts). */
import { writeFileSync } from "node:fs";
import type { MarkerLine, WriteLine } from "../../checker/history-line.ts";
import type { StoreEvent } from "./store-history.ts";

/** States that every write since the first revision is in the history. */
export const STORE_WATCHED: MarkerLine = { kind: "marker", name: "store-watched", at: 0 };

export function writeLine({ taskId, revision, task, atMs }: StoreEvent): WriteLine {
  const received = atMs === undefined ? {} : { at: atMs };
  const line = { kind: "write", task_id: taskId, revision, ...received } as const;
  if (task === null) return { ...line, phase: null };
  const { phase, createdAt, input } = task;
  return {
    ...line,
    phase: phase.kind,
    created: createdAt,
    ...("attempt" in phase ? { attempt: phase.attempt } : {}),
    ...("nodeId" in phase ? { node: phase.nodeId, claimed: phase.since } : {}),
    ...("startedAt" in phase ? { started: phase.startedAt } : {}),
    ...("finishedAt" in phase ? { finished: phase.finishedAt } : {}),
    ...(input.sha256 === "" ? {} : { input_sha256: input.sha256 }),
    ...("result" in phase && phase.result.sha256 !== "" ? { result_sha256: phase.result.sha256 } : {}),
  };
}

/** For test/checker/main.js, which reads it after a run whose folder stays. */
export function writeStoreHistory(file: string, events: readonly StoreEvent[]): void {
  const lines = [STORE_WATCHED, ...events.map(writeLine)];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
