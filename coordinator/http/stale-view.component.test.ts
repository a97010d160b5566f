/** What another coordinator has just done counts, although this one's view has not received it. */
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleted, rolledOut, type Service } from "../domain/service.ts";
import { replace } from "../store/change.ts";
import { type MemoryKv, memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { type CallResponse, call } from "./testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { claimTask, succeedTask } from "./testing/run-task.ts";

let api: HttpFixture;
let otherKv: MemoryKv;
let other: Store;
let service: Service;

beforeAll(async () => {
  api = await startHttpFixture();
  otherKv = memoryKv(api.memory);
  other = await openStore({ kv: otherKv, clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
});
afterAll(async () => {
  await other.close();
  await otherKv.close();
  await api.close();
});
beforeEach(async () => {
  service = await addReadyService(api.store, api.own);
});

/** For the 50 ms after which it lists again, the view receives nothing. */
function deafen(): void {
  api.kv.faults.breakWatches();
}

async function changeElsewhere(id: string, next: (service: Service) => Service): Promise<void> {
  const before = await other.get("services", id);
  if (before === null) throw new Error("no service");
  await other.commit([replace("services", before, next(before.value))]);
}

function post(id: string): Promise<CallResponse> {
  return call(`${api.url}/v1/services/${id}`, { key: api.own.key, body: '{"input":1}' });
}

test("a service deleted elsewhere takes no task", async () => {
  deafen();
  await changeElsewhere(service.id, (before) => deleted(before, Date.now()));
  const response = await post(service.id);
  expect([response.status, response.json.code]).toEqual([409, "service_not_ready"]);
});

test("a service that became ready elsewhere takes a task", async () => {
  const created = await call(`${api.url}/v1/services`, { key: api.own.key, body: '{"service_name":"x"}' });
  const id: string = created.json.service_id;
  await call(`${api.url}/v1/services/${id}/deployments`, { key: api.own.key, body: '{"image":"builtin:noop"}' });
  deafen();
  await changeElsewhere(id, rolledOut);
  expect((await post(id)).status).toBe(201);
});

test("a task that ended elsewhere is shown as ended", async () => {
  const id: string = (await post(service.id)).json.task_id;
  deafen();
  await claimTask({ store: other, blobs: api.blobs }, id);
  await succeedTask({ store: other, blobs: api.blobs }, id, "proof");
  const response = await call(`${api.url}/v1/tasks/${id}`, { key: api.own.key });
  expect(response.json).toMatchObject({ state: "SUCCESS", result: "proof" });
});

test("a service and a task made elsewhere are found at once", async () => {
  deafen();
  const elsewhere = await addReadyService(other, api.own);
  expect((await post(elsewhere.id)).status).toBe(201);
});

test("a task that succeeded elsewhere cannot be cancelled any more", async () => {
  const id: string = (await post(service.id)).json.task_id;
  deafen();
  await claimTask({ store: other, blobs: api.blobs }, id);
  await succeedTask({ store: other, blobs: api.blobs }, id, "proof");
  const response = await call(`${api.url}/v1/tasks/${id}/cancel`, { key: api.own.key, method: "POST" });
  expect(response.json).toMatchObject({ cancelled: false, state: "SUCCESS" });
});
