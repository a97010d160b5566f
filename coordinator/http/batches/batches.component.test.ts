import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleted } from "../../domain/service.ts";
import { BATCH_BYTES_MAX } from "../../domain/task-batch.ts";
import { replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { type SecondCoordinator, startSecondCoordinator } from "../testing/second-coordinator.ts";

let api: HttpFixture;
let second: SecondCoordinator;
let serviceId: string;

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

interface Post {
  readonly at?: { readonly url: string };
  readonly idempotencyKey?: string;
  readonly key?: string;
}

function post(body: string, { at = api, idempotencyKey, key = api.own.key }: Post = {}) {
  const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
  return call(`${at.url}/v1/services/${serviceId}/batch`, { key, body, headers });
}

function get(path: string, key = api.own.key) {
  return call(`${api.url}${path}`, { key });
}

async function tasksOfService(): Promise<number> {
  return (await get(`/v1/services/${serviceId}/tasks`)).json.total;
}

test("creates a task of each input with the options of all, and shows them as a batch", async () => {
  const response = await post(
    '{ "priority": 2, "limits":{"run_timeout_seconds":5}, "inputs": [ {"n": 1.0}, "b,]", [3] ], "else": 1}',
  );
  expect(response.status).toBe(201);
  const { json } = response;
  expect(json).toMatchObject({ service_id: serviceId, state: "CREATED", tasks_created: 3, message: null });
  expect(response.headers.get("location")).toBe(`${api.url}/v1/batches/${json.batch_id}`);
  const tasks = await Promise.all(json.task_ids.map((id) => get(`/v1/tasks/${id}`)));
  expect(tasks.map(({ json: task }) => task.input)).toEqual(['{"n": 1.0}', '"b,]"', "[3]"]);
  for (const { json: task } of tasks) expect(task).toMatchObject({ priority: 2, limits: { run_timeout_seconds: 5 } });
  expect((await get(`/v1/batches/${json.batch_id}`)).json).toEqual(json);
  const listed = await get(`/v1/services/${serviceId}/tasks`);
  expect(listed.json.items.map(({ task_id: id }) => id)).toEqual(json.task_ids.toReversed());
});

test("a batch of another team is unknown, and so is their service", async () => {
  const { json } = await post('{"inputs":[1]}');
  expect((await get(`/v1/batches/${json.batch_id}`, api.other.key)).status).toBe(404);
  expect((await post('{"inputs":[1]}', { key: api.other.key })).status).toBe(404);
});

test.each([
  ["no inputs", "{}", "input_missing"],
  ["inputs that are no array", '{"inputs":{"0":1}}', "input_missing"],
  ["an empty array", '{"inputs":[]}', "invalid_request"],
  ["1,001 inputs", `{"inputs":[${"1,".repeat(1000)}1]}`, "invalid_request"],
  ["an array that is not JSON", '{"inputs":[1,]}', "not_json"],
  ["a key that stands twice", '{"inputs":[1],"inputs":[2]}', "duplicate_key"],
  ["a priority out of range", '{"inputs":[1],"priority":11}', "invalid_request"],
  ["a limit beyond the deployment's", '{"inputs":[1],"limits":{"run_timeout_seconds":3600}}', "invalid_request"],
  ["an input that is too large", `{"inputs":[1,"${"a".repeat(10 * 1024 * 1024)}"]}`, "input_too_large"],
])("refuses %s and creates nothing", async (_, body, code) => {
  const { status, json } = await post(body);
  expect([json.code, status >= 400 && status < 500]).toEqual([code, true]);
  expect(await tasksOfService()).toBe(0);
});

test("names `inputs` that are no array, in place of none", async () => {
  expect((await post('{"inputs":{}}')).json.detail).toBe(
    "`inputs` of the body is no array; give an array, of one input or several.",
  );
});

test("refuses a batch whose inputs are too large together", async () => {
  const input = `"${"a".repeat(9.2 * 1024 * 1024)}"`;
  const { json } = await post(`{"inputs":[${Array(7).fill(input).join(",")}]}`);
  expect([json.code, json.detail]).toEqual(["input_too_large", expect.stringContaining(String(BATCH_BYTES_MAX))]);
  expect(await tasksOfService()).toBe(0);
});

test("refuses a batch whole where not all of its tasks fit the quota, and takes one that does", async () => {
  await using strict = await startSecondCoordinator(api, {
    config: { ...api.options.config, quotas: { openTasksPerTeam: 1 } },
  });
  const { status, json } = await post('{"inputs":[1,2]}', { at: strict });
  expect([status, json.code, json.detail]).toEqual([429, "quota_exceeded", expect.stringContaining("2 more")]);
  expect(await tasksOfService()).toBe(0);
});

test("refuses a batch for a service that was deleted", async () => {
  const service = await api.store.get("services", serviceId);
  if (service === null) throw new Error("no service");
  await api.store.commit([replace("services", service, deleted(service.value, Date.now()))]);
  expect((await post('{"inputs":[1]}')).json.code).toBe("service_not_ready");
});

test("the same key and body return the same batch at every coordinator; another body, or a single task, is refused", async () => {
  const idempotencyKey = "batch-1";
  const responses = await Promise.all(
    [api, second, api, second].map((at) => post('{"inputs":[1,2]}', { at, idempotencyKey })),
  );
  const accepted = responses.filter(({ status }) => status === 201);
  expect(accepted.length).toBeGreaterThan(0);
  for (const { json } of responses.filter(({ status }) => status !== 201))
    expect(json.code).toBe("idempotency_key_in_flight");
  const again = await post('{"inputs":[1,2]}', { idempotencyKey });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(new Set([again, ...accepted].map(({ json }) => json.batch_id)).size).toBe(1);
  expect(await tasksOfService()).toBe(2);
  expect((await post('{"inputs":[1,3]}', { idempotencyKey })).json.code).toBe("idempotency_key_reused");
  const single = await call(`${api.url}/v1/services/${serviceId}`, {
    key: api.own.key,
    body: '{"inputs":[1,2],"input":1}',
    headers: { "idempotency-key": idempotencyKey },
  });
  expect(single.json.code).toBe("idempotency_key_reused");
});

test("where the store's response is lost, the same request again finds the batch", async () => {
  for (let n = 0; n < 5; n++) {
    const before = await tasksOfService();
    const idempotencyKey = `lost-${n}`;
    api.kv.faults.lostAnswers.push("lost after it was applied");
    await post('{"inputs":[1,2,3]}', { idempotencyKey });
    const again = await post('{"inputs":[1,2,3]}', { at: second, idempotencyKey });
    expect(again.json).toMatchObject({ state: "CREATED", tasks_created: 3 });
    expect((await tasksOfService()) - before).toBe(3);
  }
});
