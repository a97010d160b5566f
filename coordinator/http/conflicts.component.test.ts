/** What a client sees of other writers of the same records. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { TRIES_MAX } from "../store/update.ts";
import { type HttpServer, startHttp } from "./server.ts";
import { call } from "./testing/call.ts";
import { type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";

let api: HttpFixture;
let server: HttpServer;
let id: string;
/** Commits of the server before which another writer still changes the service. */
let othersLeft = 0;

beforeAll(async () => {
  api = await startHttpFixture();
  const body = JSON.stringify({ service_name: "contested" });
  id = (await call(`${api.url}/v1/services`, { key: api.own.key, body })).json.service_id;
  const { store } = api;
  const contested: Store = {
    epoch: store.epoch,
    blobStoreId: store.blobStoreId,
    view: store.view,
    get: store.get.bind(store),
    bytes: store.bytes.bind(store),
    close: store.close.bind(store),
    async commit(changes, guard) {
      if (othersLeft > 0) {
        othersLeft--;
        const service = await store.get("services", id);
        if (service !== null) await store.commit([replace("services", service, service.value)]);
      }
      return store.commit(changes, guard);
    },
  };
  server = await startHttp({ ...api.options, store: contested });
});
afterAll(async () => {
  await server.stop();
  await api.close();
});

function change(seconds: number) {
  const body = JSON.stringify({ result_retention_seconds: seconds });
  return call(`${server.url}/v1/services/${id}`, { key: api.own.key, method: "PATCH", body });
}

test("a change is made though other writers are faster a few times", async () => {
  othersLeft = TRIES_MAX - 1;
  expect((await change(7_200)).status).toBe(200);
  expect((await api.store.get("services", id))?.value.resultRetentionMs).toBe(7_200_000);
});

test("a change that others are always faster than is refused with 503 and a time to come back, and nothing is changed", async () => {
  othersLeft = TRIES_MAX;
  const { status, json, headers } = await change(3_600);
  expect([status, json.code, headers.get("retry-after")]).toEqual([503, "overloaded", "1"]);
  expect((await api.store.get("services", id))?.value.resultRetentionMs).toBe(7_200_000);
});
