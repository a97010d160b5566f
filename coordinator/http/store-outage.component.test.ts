/** While the store is away nothing is acknowledged that is not durable, and callers learn when to retry. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../domain/service.ts";
import { startHttp } from "./server.ts";
import { type CallResponse, call } from "./testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { claimTask, succeedTask } from "./testing/run-task.ts";

let api: HttpFixture;
let service: Service;

beforeAll(async () => {
  api = await startHttpFixture();
  service = await addReadyService(api.store, api.own);
});
afterAll(() => api.close());

function post(): Promise<CallResponse> {
  return call(`${api.url}/v1/services/${service.id}`, { key: api.own.key, body: '{"input":1}' });
}

test("a create is refused, and no task of it is ever seen", async () => {
  api.kv.faults.away = true;
  const responses = await Promise.all([post(), post(), post()]);
  api.kv.faults.away = false;
  for (const response of responses) {
    expect([response.status, response.json.code]).toEqual([503, "store_unavailable"]);
    expect(response.headers.get("retry-after")).toBe("1");
  }
  const page = await api.kv.range("/elastic/v1/records/tasks/", { limit: 10 });
  expect(page.entries).toEqual([]);
  expect((await post()).status).toBe(201);
});

test("a create whose response from the store was lost is acknowledged only once it is known to be committed", async () => {
  api.kv.faults.lostAnswers.push("lost after it was applied");
  const stored = await post();
  expect(stored.status).toBe(201);
  api.kv.faults.lostAnswers.push("lost before it was applied");
  const again = await post();
  expect(again.status).toBe(201);
  for (const { json } of [stored, again]) expect(await api.store.get("tasks", json.task_id)).not.toBeNull();
});

test("an open task cannot be shown, an ended one can", async () => {
  const open = (await post()).json.task_id;
  const ended = (await post()).json.task_id;
  await claimTask(api, ended);
  await succeedTask(api, ended, "proof");
  api.kv.faults.away = true;
  const get = (id: string) => call(`${api.url}/v1/tasks/${id}`, { key: api.own.key });
  const [unknown, known] = [await get(open), await get(ended)];
  api.kv.faults.away = false;
  expect([unknown.status, unknown.json.code]).toEqual([503, "store_unavailable"]);
  expect([known.status, known.json.result]).toEqual([200, "proof"]);
});

test("once nothing was received for seconds no key is accepted, and the coordinator says that it is not ready", async () => {
  expect((await call(`${api.url}/readyz`)).json).toEqual({ status: "ready" });
  api.kv.faults.away = true;
  const unready = await until(() => call(`${api.url}/readyz`), 503);
  expect(unready.json).toMatchObject({ code: "unready", errors: [{ pointer: "store", detail: expect.any(String) }] });
  expect((await call(`${api.url}/healthz`)).status).toBe(200);
  const refused = await call(`${api.url}/v1/teams`, { key: api.own.key });
  expect([refused.status, refused.json.code]).toEqual([503, "store_unavailable"]);
  expect((await call(`${api.url}/v1/teams`, { key: "eps_x" })).status).toBe(401);
  api.kv.faults.away = false;
  await until(() => call(`${api.url}/readyz`), 200);
  expect((await call(`${api.url}/v1/teams`, { key: api.own.key })).status).toBe(200);
});

test("a full store has another code than one that is away, also in readiness", async () => {
  api.kv.faults.full = true;
  const refused = await post();
  api.kv.faults.full = false;
  expect([refused.status, refused.json.code]).toEqual([503, "store_unavailable"]);
  expect(refused.json.detail).toContain("The store is full");
  const full = await startHttp({ ...api.options, storeIsFull: () => true });
  const { status, json } = await call(`${full.url}/readyz`);
  expect([status, json.errors]).toEqual([503, [{ pointer: "store", detail: "the store is full and takes no writes" }]]);
  await full.stop();
});

test("a coordinator that is about to stop is not ready, and serves", async () => {
  const stopping = await startHttp({ ...api.options, isStopping: () => true });
  const { status, json } = await call(`${stopping.url}/readyz`);
  expect([status, json.errors]).toMatchObject([503, [{ pointer: "process" }]]);
  expect((await call(`${stopping.url}/v1/teams`, { key: api.own.key })).status).toBe(200);
  await stopping.stop();
});

test("a coordinator whose machine's clock is off is ready, and shows what is wrong with the clock", async () => {
  const off = await startHttp({ ...api.options, clockComplaint: () => "it is 3 s behind" });
  const { status, json } = await call(`${off.url}/readyz`);
  expect([status, json]).toEqual([200, { status: "ready", clock: "it is 3 s behind" }]);
  await off.stop();
});

async function until(send: () => Promise<CallResponse>, status: number): Promise<CallResponse> {
  for (;;) {
    const response = await send();
    if (response.status === status) return response;
  }
}
