import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { queue } from "../../domain/task.ts";
import { aTask } from "../../domain/testing/records.ts";
import { create, inputBytes } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, succeedTask } from "../testing/run-task.ts";

let api: HttpFixture;
let serviceId: string;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());
beforeEach(async () => {
  serviceId = (await addReadyService(api.store, api.own)).id;
});

function cancel(body: object, key = api.own.key): Promise<CallResponse> {
  return call(`${api.url}/v1/tasks/cancel`, { key, body: JSON.stringify(body) });
}

async function created(): Promise<string> {
  return (await call(`${api.url}/v1/services/${serviceId}`, { key: api.own.key, body: '{"input":1}' })).json.task_id;
}

async function phaseOf(id: string): Promise<string> {
  return (await call(`${api.url}/v1/tasks/${id}`, { key: api.own.key })).json.phase;
}

test("tasks that are named end as cancelled, but for those that ended before or are not there", async () => {
  const [queued, running, ended] = [await created(), await created(), await created()];
  await claimTask(api, running);
  await claimTask(api, ended);
  await succeedTask(api, ended, "r");
  const task_ids = [queued, running, ended, queued, newId(Date.now())];
  const response = await cancel({ task_ids });
  expect([response.status, response.json]).toEqual([200, { cancelled: 2, ended: 1, not_found: 1, remaining: 0 }]);
  expect([await phaseOf(queued), await phaseOf(running), await phaseOf(ended)]).toEqual([
    "cancelled",
    "cancelled",
    "succeeded",
  ]);
  expect((await cancel({ task_ids })).json).toEqual(response.json);
});

test("another team's tasks count as not found, and stay as they are", async () => {
  const id = await created();
  expect((await cancel({ task_ids: [id] }, api.other.key)).json).toMatchObject({ cancelled: 0, not_found: 1 });
  expect(await phaseOf(id)).toBe("queued");
  expect((await cancel({ service_id: serviceId }, api.other.key)).status).toBe(404);
});

test("all open tasks of a service end, or those in one phase", async () => {
  const [queued, running] = [await created(), await created()];
  await claimTask(api, running);
  expect((await cancel({ service_id: serviceId, phase: "running" })).json).toMatchObject({ cancelled: 1 });
  expect([await phaseOf(queued), await phaseOf(running)]).toEqual(["queued", "cancelled"]);
  expect((await cancel({ service_id: serviceId })).json).toMatchObject({ cancelled: 1, remaining: 0 });
  expect((await cancel({ service_id: serviceId })).json).toEqual({
    cancelled: 0,
    ended: 0,
    not_found: 0,
    remaining: 0,
  });
});

test("all open tasks of the team that a filter has end, and no others", async () => {
  const [queued, running, other] = [await created(), await created(), await created()];
  await claimTask(api, running);
  const filter = { service_id: serviceId, phase: "queued", id_prefix: queued };
  expect((await cancel({ filter })).json).toMatchObject({ cancelled: 1, remaining: 0 });
  expect(await Promise.all([queued, running, other].map(phaseOf))).toEqual(["cancelled", "running", "queued"]);
  expect((await cancel({ filter: { created_before: "2020-01-01T00:00:00" } })).json).toMatchObject({ cancelled: 0 });
  expect((await cancel({ filter: {} }, api.other.key)).json).toMatchObject({ cancelled: 0, remaining: 0 });
  expect(await Promise.all([running, other].map(phaseOf))).toEqual(["running", "queued"]);
  expect((await cancel({ filter: {} })).json.cancelled).toBeGreaterThanOrEqual(2);
  expect(await Promise.all([running, other].map(phaseOf))).toEqual(["cancelled", "cancelled"]);
  expect((await cancel({ filter: { service_id: serviceId } }, api.other.key)).status).toBe(404);
});

test("a request cancels a thousand at most, and says how many are left", async () => {
  const { teamId } = api.own;
  const adding = Array.from({ length: 1200 }, (_, n) => {
    const task = queue({ ...aTask({ id: serviceId }), id: newId(n), teamId });
    return api.store.commit([create("tasks", task), inputBytes(task.id, Buffer.from("1"))]);
  });
  await Promise.all(adding);
  expect((await cancel({ service_id: serviceId })).json).toMatchObject({ cancelled: 1000, remaining: 200 });
  expect((await cancel({ service_id: serviceId })).json).toMatchObject({ cancelled: 200, remaining: 0 });
});

test("a task that is cancelled while it succeeds ends as one of both, and is counted so", async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, created));
  await Promise.all(ids.map((id) => claimTask(api, id)));
  const [{ json }] = await Promise.all([
    cancel({ task_ids: ids }),
    ...ids.slice(10).map((id) => succeedTask(api, id, "r")),
  ]);
  const phases = await Promise.all(ids.map(phaseOf));
  expect(json).toMatchObject({
    cancelled: phases.filter((phase) => phase === "cancelled").length,
    ended: phases.filter((phase) => phase === "succeeded").length,
  });
});

test("what does not say clearly what to cancel is refused", async () => {
  for (const body of [
    {},
    { task_ids: ["x"] },
    { task_ids: [], service_id: serviceId },
    { task_ids: [], phase: "queued" },
    { service_id: serviceId, phase: "succeeded" },
    { service_id: serviceId, all: true },
    { service_id: serviceId, filter: {} },
    { filter: { reason: "cancelled" } },
    { filter: { phase: "failed" } },
    { task_ids: Array.from({ length: 1001 }, () => newId(1)) },
  ]) {
    const response = await cancel(body);
    expect([body, response.status, response.json.code]).toEqual([body, 422, "invalid_request"]);
  }
});
