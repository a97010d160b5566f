import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { afterFailedAttempt } from "../domain/retry.ts";
import { claim, end, succeed, type Task } from "../domain/task.ts";
import { aTask, aWebhook } from "../domain/testing/records.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { Webhook } from "../domain/webhook.ts";
import { create } from "./change.ts";
import { Memory } from "./memory/memory.ts";
import { type MemoryKv, memoryKv } from "./memory/memory-kv.ts";
import { openStore } from "./open/open-store.ts";
import type { Store } from "./store.ts";
import { taskChanges } from "./task-end.ts";

const SERVICE = { id: newId(4) };
const RESULT = { bytes: 1, sha256: "0".repeat(64), where: "store" } as const;
const FAILED = { reason: "bad_output", message: "m", exitCode: null, logTail: "", runMs: 1 } as const;

let memory: Memory;
let kv: MemoryKv;
let store: Store;

beforeEach(async () => {
  memory = new Memory();
  kv = memoryKv(memory);
  store = await openStore({ kv, clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
});
afterEach(async () => {
  await store.close();
  await kv.close();
});

async function addWebhook(given: Partial<Webhook> = {}): Promise<Webhook> {
  const webhook = aWebhook(SERVICE, { id: newId(6), ...given });
  await store.commit([create("webhooks", webhook)]);
  return webhook;
}

async function runningTask(): Promise<Versioned<Task>> {
  const task = claim(aTask(SERVICE), { nodeId: "n", sessionId: "s", assignmentId: "a" }, 2_000);
  const outcome = await store.commit([create("tasks", task)]);
  if (outcome.kind !== "committed") throw new Error("conflict");
  return { value: task, revision: outcome.revision };
}

function deliveries() {
  return [...store.view.deliveries.values()].map(({ value }) => value);
}

test("commits the end of a task together with its deliveries, or neither", async () => {
  const webhook = await addWebhook();
  const task = await runningTask();
  const ended = succeed(task.value, RESULT, 10, 3_000);
  const changes = taskChanges(store.view, task, ended);
  expect(await store.commit(changes)).toMatchObject({ kind: "committed" });
  expect(deliveries()).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      webhookId: webhook.id,
      serviceId: SERVICE.id,
      teamId: webhook.teamId,
      type: "task.succeeded",
      subjectId: task.value.id,
      createdAt: 3_000,
      attempts: [],
      phase: { kind: "pending", tries: 0, nextAt: 3_000 },
    },
  ]);
  const [delivery] = store.view.deliveries.of(webhook.id);
  expect(delivery?.revision).toBe(store.view.tasks.get(task.value.id)?.revision);
  expect(await store.commit(taskChanges(store.view, task, ended))).toEqual({ kind: "conflict" });
  expect(deliveries()).toHaveLength(1);
});

test("sends an event type for each way in which a task ends, and none for a retry", async () => {
  await addWebhook();
  const task = await runningTask();
  const failure = { ...FAILED, retryable: false, attempts: 1 };
  const eventTypes = (after: Task) =>
    taskChanges(store.view, task, after).flatMap((change) =>
      change.kind === "write" && change.record === "deliveries" ? [(change.value as { type: string }).type] : [],
    );
  expect(eventTypes(succeed(task.value, RESULT, 1, 3_000))).toEqual(["task.succeeded"]);
  for (const kind of ["failed", "cancelled", "timed_out", "expired"] as const) {
    expect(eventTypes(end(task.value, kind, failure, 1, 3_000))).toEqual([`task.${kind}`]);
  }
  expect(eventTypes(afterFailedAttempt(task.value, { ...FAILED, reason: "gpu_fault" }, 3_000))).toEqual([]);
});

test("creates deliveries for the enabled webhooks of the service that receive the type, and no others", async () => {
  const all = await addWebhook();
  const some = await addWebhook({ types: ["task.failed", "task.succeeded"] });
  await addWebhook({ types: ["task.failed"] });
  await addWebhook({ types: [] });
  await addWebhook({ state: { kind: "disabled", reason: "asked", at: 0 } });
  await addWebhook({ serviceId: newId(5) });
  const task = await runningTask();
  await store.commit(taskChanges(store.view, task, succeed(task.value, RESULT, 10, 3_000)));
  expect(deliveries().map(({ webhookId }) => webhookId)).toEqual([all.id, some.id]);
});

test("a service without webhooks costs the end of a task nothing", async () => {
  const task = await runningTask();
  expect(taskChanges(store.view, task, succeed(task.value, RESULT, 10, 3_000))).toHaveLength(1);
});

test("sends a new webhook each end from when the coordinator observes it, once, and none from before", async () => {
  const otherKv = memoryKv(memory);
  const other = await openStore({ kv: otherKv, clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
  try {
    const [before, after] = [await runningTask(), await runningTask()];
    // Until it has listed again its view receives nothing.
    otherKv.faults.breakWatches();
    const webhook = await addWebhook();
    const endAtOther = async (task: Versioned<Task>) =>
      await other.commit(taskChanges(other.view, task, succeed(task.value, RESULT, 10, 3_000)));
    expect(await endAtOther(before)).toMatchObject({ kind: "committed" });
    await expect.poll(() => other.view.webhooks.get(webhook.id), { timeout: 5_000 }).toBeDefined();
    expect(await endAtOther(after)).toMatchObject({ kind: "committed" });
    await expect.poll(() => store.view.tasks.get(after.value.id)?.value.phase.kind).toBe("succeeded");
    expect(deliveries().map(({ subjectId }) => subjectId)).toEqual([after.value.id]);
  } finally {
    await other.close();
    await otherKv.close();
  }
});
