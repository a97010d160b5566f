import { afterAll, beforeAll, expect, test } from "vitest";
import { type BlobStore, BlobsUnavailableError } from "../blobs/blob-store.ts";
import type { Service } from "../domain/service.ts";
import { type HttpServer, startHttp } from "./server.ts";
import { call } from "./testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { claimTask, succeedTask } from "./testing/run-task.ts";

let api: HttpFixture;
let away: HttpServer;
let service: Service;

beforeAll(async () => {
  api = await startHttpFixture();
  service = await addReadyService(api.store, api.own);
  const fail = async () => {
    throw new BlobsUnavailableError("the object store is away");
  };
  const blobs: BlobStore = {
    put: fail,
    open: fail,
    has: fail,
    renew: fail,
    sweep: fail,
    probe: async () => undefined,
    list: async function* () {},
  };
  const logs = { ...api.options.logs, state: fail, read: fail };
  away = await startHttp({ ...api.options, blobs, logs });
});
afterAll(async () => {
  await away.stop();
  await api.close();
});

function send(path: string, input?: unknown) {
  const body = input === undefined ? {} : { body: JSON.stringify({ input }) };
  return call(`${away.url}/v1${path}`, { key: api.own.key, ...body });
}

test("while blobs are away what is large is refused with 503, and nothing of it is stored", async () => {
  const before = (await send("/tasks")).json.total;
  const response = await send(`/services/${service.id}`, "x".repeat(10_000));
  expect([response.status, response.json.code, response.headers.get("retry-after")]).toEqual([
    503,
    "blobs_unavailable",
    "1",
  ]);
  expect((await send("/tasks")).json.total).toBe(before);
});

test("while blobs are away what is small still works, and a large result is 503 until they are back", async () => {
  const { json } = await send(`/services/${service.id}`, 1);
  await claimTask(api, json.task_id);
  await succeedTask(api, json.task_id, "y".repeat(10_000));
  for (const path of [`/tasks/${json.task_id}`, `/tasks/${json.task_id}/result`]) {
    const response = await send(path);
    expect([path, response.status, response.json.code]).toEqual([path, 503, "blobs_unavailable"]);
  }
  expect((await call(`${api.url}/v1/tasks/${json.task_id}`, { key: api.own.key })).json.result).toHaveLength(10_000);
});

test("while logs are away requests for them get 503", async () => {
  const { json } = await send(`/services/${service.id}`, 1);
  await claimTask(api, json.task_id);
  const response = await send(`/tasks/${json.task_id}/logs`);
  expect([response.status, response.json.code]).toEqual([503, "blobs_unavailable"]);
});
