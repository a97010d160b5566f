import { newId } from "@elastic/std/ids.ts";
import type { FastifyReply } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Caller } from "../../auth/authorize.ts";
import type { Service } from "../../domain/service.ts";
import { aTask } from "../../domain/testing/records.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, succeedTask } from "../testing/run-task.ts";
import { TaskWaits } from "./task-waits.ts";
import { createdOnceEnded } from "./wait-for-end.ts";

let api: HttpFixture;
let service: Service;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());
beforeEach(async () => {
  service = await addReadyService(api.store, api.own);
});

function post(wait: string, key = api.own.key): Promise<CallResponse> {
  return call(`${api.url}/v1/services/${service.id}?wait=${wait}`, { key, body: '{"input":{"n":1}}' });
}

/** Ids of the service's tasks. */
function tasks(): readonly string[] {
  return api.store.view.tasks.list({ teamId: api.own.teamId, serviceId: service.id }, { offset: 0, limit: 10 }).ids;
}

/** Does what a worker would as soon as the task is there. */
function succeedNext(result: string): void {
  const stop = api.store.view.tasks.subscribe(({ id, after }) => {
    if (after?.value.serviceId !== service.id) return;
    stop();
    void claimTask(api, id).then(() => succeedTask(api, id, result));
  });
}

test("a task that is created with a wait is returned once it has ended", async () => {
  succeedNext("the proof");
  const { status, headers, json } = await post("60");
  expect([status, json.state, json.result, json.input]).toEqual([201, "SUCCESS", "the proof", '{"n":1}']);
  expect(headers.get("location")).toBe(`${api.url}/v1/tasks/${json.task_id}`);
  const read = await call(`${api.url}/v1/tasks/${json.task_id}`, { key: api.own.key });
  expect(read.json).toEqual(json);
});

test("a key that may not read tasks sees how one ended, and nothing else", async () => {
  succeedNext("the proof");
  const of = { userId: api.own.userId, defaultTeamId: api.own.teamId, scopes: ["tasks:write"] as const };
  const { status, json } = await post("60", await addKey(api.store, of));
  expect([status, json.state, json.result, json.result_url, json.input]).toEqual([201, "SUCCESS", null, null, null]);
});

test("when the time is over the response is the task as it is", async () => {
  const response = await post("1");
  expect([response.status, response.json.state, response.json.phase]).toEqual([201, "PENDING", "queued"]);
});

test("responds at once without a wait", async () => {
  expect((await post("0")).json.state).toBe("PENDING");
});

test.each(["301", "-1", "1.5", "soon", ""])("a wait of '%s' is refused before anything is created", async (wait) => {
  const { status, json } = await post(wait);
  expect([status, json.code]).toEqual([422, "invalid_request"]);
  expect(tasks()).toEqual([]);
});

test("where too many wait already the task is returned as it was created", async () => {
  const waits = new TaskWaits(api.store.view.tasks, { waiting: () => undefined });
  const hang = {
    holder: { key: { id: "key", userId: "user" }, teamId: service.teamId },
    timeoutMs: 60_000,
    onGone: () => undefined,
  };
  const held = Array.from({ length: 5_000 }, () => waits.wait({ ...hang, taskId: newId(1) }));
  const caller = { id: "key", userId: "user" } as Caller;
  const reply = { raw: { once: () => undefined } } as unknown as FastifyReply;
  const created = aTask(service);
  const deps = { waits, store: api.store, clock: api.options.clock };
  expect(await createdOnceEnded(deps, caller, reply, { created, timeoutMs: 60_000 })).toBe(created);
  waits.stop();
  await Promise.all(held);
});
