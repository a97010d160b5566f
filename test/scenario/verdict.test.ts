import { afterLostNode } from "@elastic/coordinator/domain/retry.ts";
import { claim, queue, succeed, type Task } from "@elastic/coordinator/domain/task.ts";
import { expect, test } from "vitest";
import type { ClientEvent } from "../cluster/checker/client-history.ts";
import type { StoreEvent } from "../cluster/checker/store-history.ts";
import { type Run, verdictOf, whatIsBroken } from "./verdict.ts";

/** Of the text `1`. */
const INPUT_SHA256 = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b";
const FAULT = { fromMs: 1_000, toMs: 9_000 };

const queued: Task = queue({
  id: "t",
  teamId: "team",
  serviceId: "service",
  serviceName: "sleep",
  creatorId: "user",
  createdAt: 10,
  requestId: "request",
  input: { bytes: 1, sha256: INPUT_SHA256, where: "store" },
  budgets: { queueMs: 1, startMs: 1, runMs: 1 },
  priority: 0,
  proverRetries: 0,
});
const on = (nodeId: string) => ({ nodeId, sessionId: "session", assignmentId: "assignment" });
const lost = afterLostNode(claim(queued, on("first"), 20), 13_020);
const again = claim(lost, on("second"), 13_030);
const result = { bytes: 1, sha256: "00", where: "store" } as const;

function stored(...tasks: readonly Task[]): readonly StoreEvent[] {
  return tasks.map((task, index) => ({ taskId: "t", revision: index + 1, task }));
}

function createdAt(...timesMs: readonly number[]): readonly ClientEvent[] {
  return timesMs.flatMap((atMs, call) => [
    { kind: "create-begun", call, atMs: atMs - 100 - call, input: "1" } as const,
    { kind: "created", call, atMs, taskId: "t" } as const,
  ]);
}

const run: Run = {
  client: createdAt(500, 2_000, 8_000, 9_500),
  store: stored(queued, claim(queued, on("first"), 20), lost, again, succeed(again, result, 1, 13_040)),
  executions: [],
  responses: [
    { atMs: 500, status: 503, retryAfter: "1" },
    { atMs: 1_500, status: 503, retryAfter: "1" },
    { atMs: 1_600, status: 201, retryAfter: null },
  ],
  tasks: [],
  fault: FAULT,
};

test("counts what was accepted around the fault, and the longest time without", () => {
  const { accepted, longestGapMs, medianCreateMs, refusals } = verdictOf(run);
  expect(accepted).toEqual({ before: 1, during: 2, after: 1 });
  expect(longestGapMs).toBe(6_000);
  expect(medianCreateMs).toBe(102);
  expect([...refusals]).toEqual([[503, 1]]);
});

test("lists each attempt that was lost, with when and where", () => {
  const { attemptsMax, requeues } = verdictOf(run);
  expect(attemptsMax).toBe(2);
  expect(requeues).toEqual([{ taskId: "t", at: 13_020, nodeId: "first", reason: "node_lost" }]);
});

test("finds a broken history, a failed task, a 503 without Retry-After and a run without work", () => {
  const broken: Run = {
    ...run,
    client: createdAt(500),
    tasks: [{ task_id: "t", state: "FAILURE", phase: "failed", failure: null }],
    store: stored(queued),
    responses: [{ atMs: 1, status: 503, retryAfter: null }],
  };
  const found = whatIsBroken(broken) ?? "";
  expect(found).toMatch(/is still queued/);
  expect(found).toMatch(/ended as failed/);
  expect(found).toMatch(/503 came with Retry-After null/);
  expect(found).toMatch(/no work ran/);
});

test("finds nothing in a run in which everything ended", () => {
  const [begun, created] = createdAt(500);
  const [, , , , ...later] = createdAt(0, 0, 9_500);
  const ids = (event: ClientEvent | undefined, taskId: string) => ({ ...event, taskId }) as ClientEvent;
  const store = [...run.store, ...run.store.map((event, index) => ({ ...event, taskId: "u", revision: 10 + index }))];
  const client = [begun, ids(created, "t"), later[0], ids(later[1], "u")].filter((event) => event !== undefined);
  expect(whatIsBroken({ ...run, client, store, responses: [] })).toBeNull();
});
