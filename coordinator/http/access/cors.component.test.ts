import { afterAll, beforeAll, expect, test } from "vitest";
import type { RateSettings } from "../limits/rate-limits.ts";
import { startHttp } from "../server.ts";
import { sessionCookie } from "../testing/browser.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addReadyService, addTenant, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, succeedTask } from "../testing/run-task.ts";

const APP = "https://app.example";
const OTHER_APP = "https://other.example";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
  for (const [tenant, origin] of [
    [api.own, APP],
    [api.other, OTHER_APP],
  ] as const) {
    expect((await patch(tenant, { origins: [origin, origin] })).json.origins).toEqual([origin]);
  }
});
afterAll(() => api.close());

function patch({ teamId, key }: HttpFixture["own"], body: object) {
  return call(`${api.url}/v1/teams/${teamId}`, { key, method: "PATCH", body: JSON.stringify(body) });
}

function preflight(origin: string, path = "/v1/tasks") {
  const headers = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };
  return fetch(api.url + path, { method: "OPTIONS", headers });
}

async function startSlow(rates: RateSettings) {
  const server = await startHttp({ ...api.options, config: { ...api.options.config, rates } });
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop() };
}

/** Each refusal of a dozen requests. */
async function refusals(url: string, key: string | undefined, origin: string): Promise<readonly Response[]> {
  const headers = { origin, ...(key === undefined ? {} : { "x-api-key": key }) };
  const responses: Response[] = [];
  for (let count = 0; count < 12; count += 1) responses.push(await fetch(url, { headers }));
  for (const response of responses) await response.body?.cancel();
  return responses.filter(({ status }) => status >= 400);
}

function allowed({ headers }: Pick<CallResponse, "headers">): string | null {
  return headers.get("access-control-allow-origin");
}

test.each([APP, OTHER_APP])("answers a preflight of %s, which some team names, without credentials", async (origin) => {
  const response = await preflight(origin);
  expect([response.status, allowed(response), response.headers.get("vary")]).toEqual([204, origin, "origin"]);
  expect(response.headers.get("access-control-allow-headers")).toContain("authorization");
  expect(response.headers.get("access-control-allow-methods")).toContain("POST");
  expect(response.headers.has("access-control-allow-credentials")).toBe(false);
});

test.each(["https://evil.example", "null", `${APP}.evil.example`, "http://app.example", "*"])(
  "refuses a preflight of %s, which no team names",
  async (origin) => {
    const response = await preflight(origin);
    expect([response.status, allowed(response)]).toEqual([405, null]);
  },
);

test("lets a page of an origin of the key's team read what it requested, refusals of its body too, and no other page", async () => {
  const { id } = await addReadyService(api.store, api.own);
  const create = (origin: string, body: string) =>
    call(`${api.url}/v1/services/${id}`, { key: api.own.key, body, headers: { origin } });
  const created = await create(APP, '{"input":1}');
  expect([created.status, allowed(created)]).toEqual([201, APP]);
  expect(created.headers.get("access-control-expose-headers")).toContain("location");
  const refused = await create(APP, "{}");
  expect([refused.status, allowed(refused)]).toEqual([422, APP]);
  for (const origin of [OTHER_APP, "https://evil.example", "null"]) {
    const hidden = await create(origin, '{"input":1}');
    expect([hidden.status, allowed(hidden), hidden.headers.get("vary")]).toEqual([201, null, "origin"]);
  }
});

test("streams of events may be read by the same pages", async () => {
  const response = await fetch(`${api.url}/v1/events`, { headers: { "x-api-key": api.own.key, origin: APP } });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, APP]);
  await response.body?.cancel();
});

test("goes by the team that a request names, and by no team that its key does not span", async () => {
  const second = await addTenant(api.store, "second");
  await patch(second, { origins: ["https://second.example"] });
  const key = await addKey(api.store, { userId: second.userId, defaultTeamId: second.teamId });
  const list = (origin: string, team: string) =>
    call(`${api.url}/v1/tasks`, { key, headers: { origin, "x-team": team } });
  expect(allowed(await list("https://second.example", second.teamId))).toBe("https://second.example");
  expect(allowed(await list(APP, api.own.teamId))).toBeNull();
  expect(allowed(await list("https://second.example", api.own.teamId))).toBeNull();
});

test("a browser's session, and a request without a key, are allowed nothing", async () => {
  const cookie = await sessionCookie(api, api.own, Date.now());
  const session = await call(`${api.url}/v1/tasks`, { headers: { origin: APP, cookie } });
  expect([session.status, allowed(session)]).toEqual([200, null]);
  const none = await call(`${api.url}/v1/tasks`, { headers: { origin: "https://evil.example" } });
  expect([none.status, allowed(none), none.headers.get("vary")]).toEqual([401, null, "origin"]);
});

test("lets pages of every origin that some team names read refusals before it is known who calls, whatever the key is", async () => {
  const rates = { keyReads: 1, keyWrites: 1, teamReads: 1, teamWrites: 1, unauthenticated: 1 };
  await using slow = await startSlow(rates);
  const key = await addKey(api.store, { userId: api.own.userId, defaultTeamId: api.own.teamId, scopes: ["nodes"] });
  const keys = [undefined, "eps_x", `${api.own.key.slice(0, -4)}AAAA`, key, api.own.key];
  const seen = new Set<number>();
  for (const origin of [APP, OTHER_APP]) {
    for (const shown of keys) {
      const refused = await refusals(`${slow.url}/v1/tasks`, shown, origin);
      for (const one of refused) {
        seen.add(one.status);
        expect([one.status, allowed(one), one.headers.get("vary")]).toEqual([one.status, origin, "origin"]);
        expect(one.headers.get("access-control-expose-headers")).toContain("retry-after");
      }
    }
  }
  expect([...seen].sort()).toEqual([401, 403, 429]);
  for (const one of await refusals(`${slow.url}/v1/tasks`, api.own.key, "https://evil.example")) {
    expect([one.status, allowed(one)]).toEqual([429, null]);
  }
});

test("lets a page of an origin of the key's team read the bytes of a result", async () => {
  const { id: serviceId } = await addReadyService(api.store, api.own);
  const { json } = await call(`${api.url}/v1/services/${serviceId}`, { key: api.own.key, body: '{"input":1}' });
  await claimTask(api, json.task_id);
  await succeedTask(api, json.task_id, "proof");
  const read = (origin: string) =>
    fetch(`${api.url}/v1/tasks/${json.task_id}/result`, { headers: { "x-api-key": api.own.key, origin } });
  const result = await read(APP);
  expect([result.status, allowed(result), await result.text()]).toEqual([200, APP, "proof"]);
  expect(allowed(await read(OTHER_APP))).toBeNull();
});

test("an origin that is taken back is refused", async () => {
  const tenant = await addTenant(api.store, "third");
  await patch(tenant, { origins: ["https://third.example"] });
  expect((await preflight("https://third.example")).status).toBe(204);
  expect((await patch(tenant, { origins: [] })).json.origins).toEqual([]);
  expect((await preflight("https://third.example")).status).toBe(405);
});

test.each([["*"], ["http://app.example"], ["https://app.example/"]])("refuses %s as an origin", async (origin) => {
  const { status, json } = await patch(api.own, { origins: [origin] });
  expect([status, json.code]).toEqual([422, "invalid_request"]);
});

test("a change that names nothing is refused, and one of the name leaves the origins", async () => {
  expect((await patch(api.own, {})).status).toBe(422);
  const { json } = await patch(api.own, { name: "renamed" });
  expect([json.name, json.origins]).toEqual(["renamed", [APP]]);
});
