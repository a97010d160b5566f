/** What the recorders write, the checker's program reads: events as lines, and their text as the same lines again. */
import { claim, end, queue, succeed } from "@elastic/coordinator/domain/task.ts";
import { expect, test } from "vitest";
import { historyOf } from "../../checker/history.ts";
import { parseLine } from "../../checker/parse-line.ts";
import type { ClientEvent } from "./client-history.ts";
import { clientLines } from "./client-lines.ts";
import { STORE_WATCHED, writeLine } from "./store-lines.ts";

const DIGEST = "d".repeat(64);
const BYTES = { bytes: 1, sha256: DIGEST, where: "store" } as const;
const queued = queue({
  id: "t",
  teamId: "",
  serviceId: "",
  serviceName: "",
  creatorId: "",
  createdAt: 5,
  requestId: "",
  input: BYTES,
  budgets: { queueMs: 1, startMs: 1, runMs: 1 },
  priority: 0,
  proverRetries: 0,
});
const running = claim(queued, { nodeId: "n", sessionId: "s", assignmentId: "a" }, 6);
const failure = { reason: "internal", message: "", retryable: true, attempts: 1, exitCode: null, logTail: "" } as const;

const SEEN = { created: "2026-01-01T00:00:00", started: null, finished: null } as const;
const EVENTS: readonly ClientEvent[] = [
  { kind: "create-begun", call: 1, atMs: 1, input: "{}" },
  { kind: "create-begun", call: 2, atMs: 2, input: "{}" },
  { kind: "created", call: 1, atMs: 3, taskId: "t" },
  { kind: "create-refused", call: 2, atMs: 4, status: 409 },
  { kind: "create-unknown", call: 3, atMs: 5, error: "cut" },
  { kind: "seen", calledAtMs: 4, atMs: 6, taskId: "t", state: "PENDING", phase: "queued", result: null, ...SEEN },
  { kind: "seen", atMs: 7, taskId: "t", state: "PENDING", phase: "running", result: null, ...SEEN },
];

test("clients' events become calls with an invocation and a return each", () => {
  const recorder = clientLines("c");
  const lines = [recorder.beginning, ...EVENTS.flatMap((event) => recorder.of(event))];
  expect(lines.flatMap((line) => parseLine(JSON.stringify(line)))).toEqual(lines);
  const { history, misplaced } = historyOf(lines.map((line) => ({ ...line, place: null })));
  expect(misplaced).toEqual([]);
  const calls = history.calls.map(({ f, outcome, taskId, invokedAt }) => [f, outcome, taskId, invokedAt]);
  expect(calls).toEqual([
    ["create", "ok", "t", 1],
    ["create", "fail", null, 2],
    ["create", "info", null, 5],
    ["get", "ok", "t", 4],
    ["get", "ok", "t", 7],
  ]);
});

test("writes of the store become lines with the claim, the times and the digests of the record", () => {
  const tasks = [queued, running, succeed(running, BYTES, 1, 8), end(running, "failed", failure, 1, 8), null];
  const writes = tasks.map((task, index) => writeLine({ taskId: "t", revision: index + 1, task, atMs: 9 }));
  const lines = [STORE_WATCHED, ...writes];
  expect(lines.flatMap((line) => parseLine(JSON.stringify(line)))).toEqual(lines);
  expect(writes[1]).toMatchObject({
    phase: "running",
    attempt: 1,
    node: "n",
    claimed: 6,
    created: 5,
    input_sha256: DIGEST,
  });
  expect(writes[2]).toMatchObject({ phase: "succeeded", attempt: 1, finished: 8, result_sha256: DIGEST });
  expect(writes[3]).not.toHaveProperty("result_sha256");
  expect(writes[4]).toEqual({ kind: "write", task_id: "t", revision: 5, at: 9, phase: null });
});
