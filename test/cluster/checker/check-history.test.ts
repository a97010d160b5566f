import { claim, end, queue, succeed, type Task } from "@elastic/coordinator/domain/task.ts";
import { describe, expect, test } from "vitest";
import { type History, violations } from "./check-history.ts";
import type { ClientEvent } from "./client-history.ts";
import type { StoreEvent } from "./store-history.ts";

const ON = { nodeId: "n", sessionId: "s", assignmentId: "a" };
const BYTES = { bytes: 1, sha256: "", where: "store" } as const;
const FAILURE = { reason: "internal", message: "", retryable: true, attempts: 1, exitCode: null, logTail: "" } as const;

const queued: Task = queue({
  id: "t",
  teamId: "",
  serviceId: "",
  serviceName: "",
  creatorId: "",
  createdAt: 0,
  requestId: "",
  input: BYTES,
  budgets: { queueMs: 1, startMs: 1, runMs: 1 },
  priority: 0,
  proverRetries: 0,
});
const running = claim(queued, ON, 1);
const requeued: Task = { ...running, phase: { kind: "queued", since: 2, lastFailure: null } };
const runningAgain = claim(requeued, ON, 3);
const succeeded = succeed(runningAgain, BYTES, 1, 4);
const failed = end(runningAgain, "failed", FAILURE, 1, 4);

const stored = (...tasks: readonly (Task | null)[]): readonly StoreEvent[] =>
  tasks.map((task, index) => ({ taskId: "t", revision: 10 + index, task }));

const created: ClientEvent = { kind: "created", call: 1, atMs: 0, taskId: "t" };
const seen = (fields: Partial<Extract<ClientEvent, { kind: "seen" }>>): ClientEvent => ({
  kind: "seen",
  atMs: 1,
  taskId: "t",
  state: "SUCCESS",
  phase: "succeeded",
  result: "r",
  created: "2026-01-01T00:00:00",
  started: "2026-01-01T00:00:01",
  finished: "2026-01-01T00:00:02",
  ...fields,
});
const PENDING = { state: "PENDING", phase: "queued", result: null, started: null, finished: null } as const;
const pending = seen(PENDING);

const goodStore = stored(queued, running, requeued, runningAgain, succeeded);

test("finds nothing in a run with a retry and a success", () => {
  const client = [created, pending, seen({}), seen({})];
  expect(violations({ client, store: goodStore })).toEqual([]);
});

test("accepts that a create whose response was lost made a task, or made none", () => {
  const unknown: ClientEvent = { kind: "create-unknown", call: 1, atMs: 0, error: "cut" };
  expect(violations({ client: [unknown], store: goodStore })).toEqual([]);
  expect(violations({ client: [unknown], store: [] })).toEqual([]);
});

describe("broken histories are found", () => {
  const broken: Readonly<Record<string, { history: History; found: RegExp }>> = {
    "an acknowledged task that was never stored": {
      history: { client: [created], store: [] },
      found: /acknowledged and never stored/,
    },
    "an acknowledged task that is gone": {
      history: { client: [created], store: stored(queued, null) },
      found: /acknowledged and is gone/,
    },
    "an acknowledged task that never ends": {
      history: { client: [created], store: stored(queued, running) },
      found: /still running/,
    },
    "a task that nobody created": {
      history: { client: [], store: goodStore },
      found: /not acknowledged to anybody/,
    },
    "two creates acknowledged with one task": {
      history: { client: [created, { ...created, call: 2 }], store: goodStore },
      found: /same task/,
    },
    "a task that ends twice": {
      history: { client: [created], store: stored(queued, running, { ...succeeded, id: "t" }, failed) },
      found: /had ended and was written as failed/,
    },
    "an end that is written again": {
      history: { client: [created], store: [...goodStore, { taskId: "t", revision: 99, task: succeeded }] },
      found: /had ended and was written as succeeded/,
    },
    "a task that begins with its end": {
      history: { client: [created], store: stored(succeeded) },
      found: /began as succeeded/,
    },
    "a task that begins with a second attempt": {
      history: { client: [created], store: stored(runningAgain, succeeded) },
      found: /started attempt 2 after attempt 0/,
    },
    "a success without a claim": {
      history: { client: [created], store: stored(queued, succeeded) },
      found: /went from queued to succeeded/,
    },
    "an attempt that is claimed twice": {
      history: { client: [created], store: stored(queued, running, requeued, running, succeed(running, BYTES, 1, 4)) },
      found: /started attempt 1 after attempt 1/,
    },
    "a success of an attempt that is no longer current": {
      history: {
        client: [created],
        store: stored(queued, running, requeued, runningAgain, succeed(running, BYTES, 1, 4)),
      },
      found: /succeeded with attempt 1 while 2 was current/,
    },
    "revisions that run backwards": {
      history: { client: [created], store: goodStore.map((event) => ({ ...event, revision: 50 - event.revision })) },
      found: /was written at \d+ after/,
    },
    "a result before the end": {
      history: { client: [created, seen({ state: "PENDING", phase: "running" })], store: goodStore },
      found: /seen as PENDING with result/,
    },
    "a success without a result": {
      history: { client: [created, seen({ result: null })], store: goodStore },
      found: /seen as SUCCESS with result null/,
    },
    "a time of start before the end": {
      history: { client: [created, seen({ ...PENDING, started: "2026-01-01T00:00:01" })], store: goodStore },
      found: /PENDING with a time/,
    },
    "a result that changes": {
      history: { client: [created, seen({}), seen({ result: "other" })], store: goodStore },
      found: /and later as/,
    },
    "an end that is taken back": {
      history: { client: [created, seen({}), pending], store: goodStore },
      found: /and later as/,
    },
    "a start before the creation": {
      history: { client: [created, seen({ started: "2025-01-01T00:00:00" })], store: goodStore },
      found: /out of order/,
    },
    "a client that received another end than is stored": {
      history: { client: [created, seen({})], store: stored(queued, running, requeued, runningAgain, failed) },
      found: /seen as succeeded and is stored as failed/,
    },
  };
  test.each(Object.entries(broken))("%s", (_name, { history, found }) => {
    expect(violations(history).join("\n")).toMatch(found);
  });
});
