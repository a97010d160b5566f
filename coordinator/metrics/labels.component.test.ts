/** Whatever teams have and clients send, no label of a metric says it, so that the number of series is bounded. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Described, documentOf, operationsOf } from "../http/testing/api-document.ts";
import { call } from "../http/testing/call.ts";
import { goodRequest } from "../http/testing/good-requests.ts";
import { addTenant, type HttpFixture, startHttpFixture, type Tenant } from "../http/testing/http-fixture.ts";
import { fill, type TenantThings, tenantThings } from "../http/testing/tenant-things.ts";

let api: HttpFixture;
let routes: readonly Described[];

beforeAll(async () => {
  api = await startHttpFixture();
  const described = operationsOf(await documentOf(api.url));
  const isLast = ({ method }: Described) => method === "DELETE";
  routes = [...described.filter((route) => !isLast(route)), ...described.filter(isLast)];
});
afterAll(() => api.close());

/** Each of this program with its labels but for the status, which may differ from call to call. Node's own come and go with its handles. */
async function series(): Promise<ReadonlySet<string>> {
  const text = await api.metrics.registry.metrics();
  const names = text.split("\n").filter((line) => line.startsWith("elastic_"));
  return new Set(names.map((line) => line.replace(/ [^ }]*$/, "").replace(/,?status="\d+"/, "")));
}

async function callAll(tenant: Tenant, things: TenantThings): Promise<void> {
  for (const route of routes) {
    const request = { key: tenant.key, ...goodRequest(route, things), signal: AbortSignal.timeout(5_000) };
    await call(api.url + fill(route, things), request);
  }
}

test("have no id, and as many series for two teams as for one", async () => {
  const ids: string[] = [];
  const seen: ReadonlySet<string>[] = [];
  for (const name of ["ada", "grace"]) {
    const tenant = await addTenant(api.store, name);
    const things = await tenantThings(api, tenant);
    ids.push(tenant.teamId, tenant.userId, ...Object.values(things).filter((id) => /^[0-9a-f]{32}$/.test(id)));
    await callAll(tenant, things);
    seen.push(await series());
  }
  expect(ids.length).toBeGreaterThan(30);
  const text = [...(seen[1] ?? [])].join("\n");
  expect(ids.filter((id) => text.includes(id))).toEqual([]);
  expect(text).not.toMatch(/[0-9a-f]{32}|eps_/);
  expect([...(seen[1] ?? [])].filter((name) => !seen[0]?.has(name))).toEqual([]);
});

test("have nothing that a client wrote", async () => {
  const before = await series();
  const segment = fc.stringMatching(/^[a-z0-9._~-]{1,20}$/).map((text) => `zq${text}`);
  const known = fc.constantFrom("v1", "services", "tasks", "teams", "webhooks", "deliveries", "nodes", "metrics");
  const path = fc.array(fc.oneof(segment, known), { minLength: 1, maxLength: 5 });
  const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "SEARCH");
  await fc.assert(
    fc.asyncProperty(path, method, segment, async (parts, sent, query) => {
      await call(`${api.url}/${parts.join("/")}?${query}=${query}`, { key: api.own.key, method: sent });
    }),
    { numRuns: 200 },
  );
  const after = [...(await series())].filter((name) => !before.has(name));
  expect(after.some((name) => name.includes('route="unmatched"'))).toBe(true);
  expect(after.filter((name) => name.includes("zq"))).toEqual([]);
});
