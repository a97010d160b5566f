/** Once the store is another than the one that was known, no request is served from memory. */
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StoreIdentity } from "../store/identity/store-identity.ts";
import { call } from "./testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";

const identity = new StoreIdentity();
let api: HttpFixture;

beforeAll(async () => {
  identity.admits({ clusterId: "7", revision: 100 }, 0);
  api = await startHttpFixture(createLog({ name: "test", level: "silent" }), { storeIdentity: identity });
});
afterAll(() => api.close());

test("ends what waits, rejects every request of the API with 503, and names what to do in /readyz", async () => {
  const service = await addReadyService(api.store, api.own);
  const { key } = api.own;
  const created = await call(`${api.url}/v1/services/${service.id}`, { key, body: '{"input":1}' });
  expect(created.status).toBe(201);
  const waiting = call(`${api.url}/v1/tasks/${created.json.task_id}?wait=300`, { key });
  await expect.poll(async () => await api.metrics.registry.metrics()).toMatch(/^elastic_http_waits 1$/m);

  identity.admits({ clusterId: "8", revision: 200 }, 100);
  await waiting;
  for (const [path, given] of [
    ["/v1/services", { key }],
    [`/v1/tasks/${created.json.task_id}`, { key }],
    ["/v1/services", { key, body: '{"service_name":"late"}' }],
    ["/v1/services", { key: "eps_x" }],
  ] as const) {
    const { status, json, headers } = await call(api.url + path, given);
    // It lasts until the operator acts: no time to try again can be named.
    expect([status, json.code, headers.get("retry-after")]).toEqual([503, "store_changed", null]);
  }
  const unready = await call(`${api.url}/readyz`);
  expect(unready.status).toBe(503);
  expect(unready.json.errors).toEqual([
    { pointer: "store", detail: expect.stringMatching(/it is the cluster 8, and was 7.*--accept-store 1 /) },
  ]);
  expect((await call(`${api.url}/healthz`)).status).toBe(200);
});
