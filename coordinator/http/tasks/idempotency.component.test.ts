import { systemClock } from "@elastic/std/clock.ts";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { IDEMPOTENCY_KEPT_MS } from "../../domain/idempotency.ts";
import { deleted } from "../../domain/service.ts";
import { remove, replace } from "../../store/change.ts";
import { readAll } from "../../store/read-all.ts";
import { startHttp } from "../server.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, succeedTask } from "../testing/run-task.ts";
import { type SecondCoordinator, startSecondCoordinator } from "../testing/second-coordinator.ts";

let api: HttpFixture;
let second: SecondCoordinator;
let serviceId: string;
let keys = 0;

beforeAll(async () => {
  api = await startHttpFixture();
  second = await startSecondCoordinator(api);
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await api.close();
});
beforeEach(async () => {
  serviceId = (await addReadyService(api.store, api.own)).id;
});

function newKey(): string {
  keys++;
  return `key-${keys}!~"/..`;
}

interface Post {
  readonly body?: string;
  readonly at?: { readonly url: string };
  readonly query?: string;
  readonly service?: string;
}

function post(key: string, { body = '{"input":1}', at = api, query = "", service = serviceId }: Post = {}) {
  const headers = { "idempotency-key": key };
  return call(`${at.url}/v1/services/${service}${query}`, { key: api.own.key, body, headers });
}

function isReplay(response: CallResponse): boolean {
  return response.headers.get("idempotent-replayed") === "true";
}

async function tasksOf(service = serviceId): Promise<number> {
  return (await call(`${api.url}/v1/services/${service}/tasks`, { key: api.own.key })).json.total;
}

test("the same key and body return the same task, as it is by then", async () => {
  const key = newKey();
  const first = await post(key);
  expect([first.status, isReplay(first)]).toEqual([201, false]);
  await claimTask(api, first.json.task_id);
  await succeedTask(api, first.json.task_id, "proof");
  const again = await post(key);
  expect([again.status, isReplay(again)]).toEqual([201, true]);
  expect(again.json).toMatchObject({ task_id: first.json.task_id, state: "SUCCESS", result: "proof", input: "1" });
  expect(again.headers.get("location")).toBe(first.headers.get("location"));
  expect(await tasksOf()).toBe(1);
});

test("another body, even by a space, or another service is refused", async () => {
  const key = newKey();
  await post(key, { body: '{"input":1,"priority":2}' });
  const another = await addReadyService(api.store, api.own);
  for (const other of [
    { body: '{"input":2,"priority":2}' },
    { body: '{"input":1,"priority":3}' },
    { body: '{"input":1, "priority":2}' },
    { body: '{"input":1,"priority":2}', service: another.id },
  ]) {
    const response = await post(key, other);
    expect([other, response.status, response.json.code]).toEqual([other, 422, "idempotency_key_reused"]);
  }
  expect(await tasksOf(another.id)).toBe(0);
});

test("a key of another team is another key", async () => {
  const key = newKey();
  const first = await post(key);
  const theirs = await addReadyService(api.store, api.other);
  const response = await call(`${api.url}/v1/services/${theirs.id}`, {
    key: api.other.key,
    body: '{"input":1}',
    headers: { "idempotency-key": key },
  });
  expect([response.status, isReplay(response)]).toEqual([201, false]);
  expect(response.json.task_id).not.toBe(first.json.task_id);
});

test("a replay shows its task although the service accepts none any more", async () => {
  const key = newKey();
  const first = await post(key);
  const service = await api.store.get("services", serviceId);
  if (service === null) throw new Error("no service");
  await api.store.commit([replace("services", service, deleted(service.value, Date.now()))]);
  expect((await post(key)).json.task_id).toBe(first.json.task_id);
  expect((await post(newKey())).json.code).toBe("service_not_ready");
});

test("a request that made nothing leaves its key free", async () => {
  const key = newKey();
  expect((await post(key, { body: '{"input":1,"priority":99}' })).status).toBe(422);
  expect((await post(key)).status).toBe(201);
});

test("however many race at two coordinators, one task is created, and everybody receives that one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }), async (elsewhere) => {
      const key = newKey();
      const before = await tasksOf();
      const racing = elsewhere.map((there) => post(key, { at: there ? second : api }));
      const responses = await Promise.all(racing);
      const accepted = responses.filter(({ status }) => status === 201);
      const refused = responses.filter(({ status }) => status !== 201);
      expect(new Set(accepted.map(({ json }) => json.task_id)).size).toBe(1);
      expect(accepted.filter((response) => !isReplay(response))).toHaveLength(1);
      for (const { status, json, headers } of refused) {
        expect([status, json.code, headers.get("retry-after")]).toEqual([409, "idempotency_key_in_flight", "1"]);
      }
      expect((await tasksOf()) - before).toBe(1);
    }),
    { numRuns: 20 },
  );
});

test("when the store's response to the first is lost, the second finds the task that was created", async () => {
  for (let n = 0; n < 10; n++) {
    const key = newKey();
    const before = await tasksOf();
    api.kv.faults.lostAnswers.push("lost after it was applied");
    const first = await post(key);
    const again = await post(key, { at: second });
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    if (first.status === 201) expect(first.json.task_id).toBe(again.json.task_id);
    await expect.poll(() => tasksOf()).toBe(before + 1);
  }
});

test("a replay with a wait waits too", async () => {
  const key = newKey();
  const { task_id } = (await post(key)).json;
  const waiting = post(key, { query: "?wait=30" });
  await claimTask(api, task_id);
  await succeedTask(api, task_id, "proof");
  expect((await waiting).json).toMatchObject({ task_id, state: "SUCCESS" });
});

test("makes no second task on a coordinator whose clock is days ahead", async () => {
  const key = newKey();
  const first = await post(key);
  const ahead = await startHttp({
    ...api.options,
    clock: { ...systemClock, now: () => Date.now() + 2 * IDEMPOTENCY_KEPT_MS },
  });
  try {
    const again = await post(key, { at: ahead });
    expect([again.status, isReplay(again), again.json.task_id]).toEqual([201, true, first.json.task_id]);
  } finally {
    await ahead.stop();
  }
});

test("the key is free again once it was forgotten", async () => {
  const key = newKey();
  const first = await post(key);
  for await (const note of readAll(api.kv, "idempotency-keys")) {
    if (note.taskId !== first.json.task_id) continue;
    const read = await api.store.get("idempotency-keys", note.id);
    if (read === null) throw new Error("no note");
    await api.store.commit([remove("idempotency-keys", read)]);
  }
  const later = await post(key, { body: '{"input":2}' });
  expect([later.status, isReplay(later)]).toEqual([201, false]);
  expect((await post(key, { body: '{"input":2}' })).json.task_id).toBe(later.json.task_id);
});

test.each([
  ["empty", ""],
  ["a space", "a b"],
  ["256", "k".repeat(256)],
  ["beyond ASCII", "k\u00e9"],
])("a key that is %s is refused", async (_, key) => {
  const response = await post(key);
  expect([response.status, response.json.code]).toEqual([400, "idempotency_key_invalid"]);
});

test("a key of 255 characters is a key", async () => {
  const key = "k".repeat(255);
  const first = await post(key);
  expect((await post(key)).json.task_id).toBe(first.json.task_id);
});
