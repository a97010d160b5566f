/** What is rejected while the store is nearly full, and what never is: generated over every route of the OpenAPI document. */
import { createLog } from "@elastic/std/log.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SourceEvent } from "../source-hosts/source-host.ts";
import { ADDS_RECORDS } from "./limits/adding-operations.ts";
import { type Described, documentOf, operationsOf } from "./testing/api-document.ts";
import { type CallResponse, call } from "./testing/call.ts";
import { goodRequest } from "./testing/good-requests.ts";
import { type HttpFixture, SOURCE_HOST, startHttpFixture } from "./testing/http-fixture.ts";
import { fill, type TenantThings, tenantThings } from "./testing/tenant-things.ts";

let api: HttpFixture;
let things: TenantThings;
let routes: readonly Described[];
let isNearlyFull = false;
/** The next one that the source host reports. */
let event: SourceEvent | null = null;

beforeAll(async () => {
  const host = { ...SOURCE_HOST, readDelivery: () => ({ deliveryId: "1", knownBy: [event?.kind ?? ""], event }) };
  api = await startHttpFixture(createLog({ name: "test", level: "silent" }), {
    storeIsNearlyFull: () => isNearlyFull,
    sourceHosts: [host],
  });
  things = await tenantThings(api, api.own);
  routes = operationsOf(await documentOf(api.url));
});
afterEach(() => {
  isNearlyFull = false;
});
afterAll(() => api.close());

function send(route: Described, key = api.own.key): Promise<CallResponse> {
  return call(api.url + fill(route, things), { key, ...goodRequest(route, things) });
}

const adds = ({ operation }: Described) => ADDS_RECORDS[operation.operationId] === true;

test("the table has every operation that changes something, and no other", () => {
  const changing = routes.filter(({ method }) => method !== "GET").map(({ operation }) => operation.operationId);
  expect(Object.keys(ADDS_RECORDS).sort()).toEqual(changing.sort());
});

test("rejects each operation that adds records with 429, a reason and a time to try again, and accepts it afterwards", async () => {
  isNearlyFull = true;
  const before = (await call(`${api.url}/v1/services`, { key: api.own.key })).json.total;
  for (const route of routes.filter(adds)) {
    const { status, json, headers } = await send(route);
    const { operationId } = route.operation;
    expect([operationId, status, json.code]).toEqual([operationId, 429, "store_nearly_full"]);
    expect(json.detail).toContain("nearly full");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(1);
  }
  const { json } = await call(`${api.url}/v1/services`, { key: api.own.key });
  expect(json.total).toBe(before);

  isNearlyFull = false;
  const made = await call(`${api.url}/v1/services`, { key: api.own.key, body: '{"service_name":"late"}' });
  expect(made.status).toBe(201);
});

test("rejects an invalid key with 401 first", async () => {
  isNearlyFull = true;
  const made = await call(`${api.url}/v1/services`, { key: "eps_x", body: '{"service_name":"unknown"}' });
  expect(made.status).toBe(401);
});

test("rejects pushes of a source host, and applies its other events", async () => {
  isNearlyFull = true;
  const { serviceSources, sourceConnections } = api.store.view;
  const source = [...serviceSources.values()].find(({ value }) => value.teamId === api.own.teamId)?.value;
  if (source === undefined) throw new Error("no service is built from a repository");
  const { installationId, repositoryId, branch, connectionId } = source;
  const report = () => call(`${api.url}/v1/source-hosts/${SOURCE_HOST.name}/webhook`, { body: "{}" });

  event = { kind: "push", installationId, repositoryId, branch, commit: "0".repeat(40), pushedAt: Date.now() };
  const refused = await report();
  expect([refused.status, refused.json.code]).toEqual([429, "store_nearly_full"]);

  event = { kind: "suspended", installationId };
  expect((await report()).status).toBe(204);
  expect(sourceConnections.get(connectionId)?.value.state.kind).toBe("suspended");
  isNearlyFull = false;
  event = { kind: "resumed", installationId };
  expect((await report()).status).toBe(204);
});

test("never rejects an operation that ends, removes or changes, nor a read", async () => {
  isNearlyFull = true;
  const removing = (route: Described) => route.method === "DELETE";
  const others = routes.filter((route) => !adds(route));
  for (const route of [...others.filter((one) => !removing(one)), ...others.filter(removing)]) {
    const { status, json } = await send(route);
    const { operationId } = route.operation;
    expect([operationId, status, json?.code]).not.toEqual([operationId, 429, "store_nearly_full"]);
  }
});
