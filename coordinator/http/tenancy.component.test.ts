/** Another team's id gets exactly the response of one that does not exist: generated over every route that names an id. */
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKeyText } from "../auth/key-text.ts";
import { type Described, documentOf, isWebSocket, operationsOf } from "./testing/api-document.ts";
import { type CallResponse, call } from "./testing/call.ts";
import { goodRequest, namingsOf, withIds } from "./testing/good-requests.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { fill, nounsOf, type TenantThings, tenantThings, unknownId } from "./testing/tenant-things.ts";

/** Operators name any team; providers of logins, source hosts, and codes of programs that log in, are of none. */
const OF_NO_TEAM = /^\/v1\/(operators|login|device|source-hosts\/\{host\}\/(callback|webhook))(\/|$)/;

let api: HttpFixture;
let ids: Readonly<Record<"own" | "other", TenantThings>>;
let routes: readonly Described[];

beforeAll(async () => {
  api = await startHttpFixture();
  ids = { own: await tenantThings(api, api.own), other: await tenantThings(api, api.other) };
  routes = operationsOf(await documentOf(api.url)).filter(({ path }) => !OF_NO_TEAM.test(path));
});
afterAll(() => api.close());

function get(path: string, key: string): Promise<CallResponse> {
  return call(`${api.url}${path}`, { key });
}

/** What two responses to different requests may not differ in. */
function comparable({ status, headers, json }: CallResponse): object {
  const { request_id: _, instance: __, ...body } = json ?? {};
  const compared = [...headers].filter(
    ([name]) => !["date", "x-request-id", "content-length", "ratelimit"].includes(name),
  );
  return { status, headers: compared, body };
}

test("another team's id, an unknown, a malformed and an overlong one are refused alike, in every place of a path", async () => {
  let looked = 0;
  for (const route of routes) {
    const { method, path } = route;
    for (const noun of nounsOf(route)) {
      // With a body that fits the route.
      const of = (id: string) =>
        call(api.url + fill(route, ids.own, { noun, id }), { key: api.own.key, ...goodRequest(route, ids.own) });
      const own = ids.own[noun] ?? "";
      const unknown = await of(noun === "keys" ? newKeyText().id : unknownId());
      expect([method, path, noun, unknown.status]).toEqual([method, path, noun, 404]);
      const malformed = [
        "x",
        own.slice(1),
        `${own}0`,
        own.toUpperCase().replaceAll(/\d/g, "A"),
        "a".repeat(5000),
        "%00",
        "..%2f",
      ];
      for (const id of [ids.other[noun] ?? "", ...malformed]) {
        expect([method, path, noun, id, comparable(await of(id))]).toEqual([
          method,
          path,
          noun,
          id,
          comparable(unknown),
        ]);
      }
      looked += 1;
    }
  }
  expect(looked).toBeGreaterThan(15);
});

test("ids that are named in bodies and queries are refused alike too, and one's own are taken", async () => {
  api.image = { kind: "resolved", image: `registry:1/prover@sha256:${"1".repeat(64)}`, tag: null };
  let looked = 0;
  for (const route of routes) {
    for (const { member, text, noun } of namingsOf(route.operation)) {
      const of = (id: string): Promise<CallResponse> => {
        const named = withIds(text, { ...ids.own, [noun]: id });
        const at = api.url + fill(route, ids.own);
        const options = { key: api.own.key, method: route.method };
        return named.startsWith("?") ? call(at + named, options) : call(at, { ...options, body: named });
      };
      const unknown = comparable(await of(unknownId()));
      expect([route.path, member, comparable(await of(ids.other[noun] ?? ""))]).toEqual([route.path, member, unknown]);
      const { status, text: said } = await of(ids.own[noun] ?? "");
      expect([route.path, member, status < 300, said]).toEqual([route.path, member, true, said]);
      looked += 1;
    }
  }
  expect(looked).toBeGreaterThan(6);
});

test("a team that the caller is not in looks like one that does not exist, wherever x-team may choose one", async () => {
  const refusing: string[] = [];
  for (const route of routes.filter((one) => nounsOf(one).length === 0)) {
    // What works once: a code of a team, a login token, what is deleted.
    const isOnce = ["acceptInvitation", "createSession", "redeemDeviceCode"].includes(route.operation.operationId);
    if (isOnce || route.method === "DELETE") continue;
    const of = (team: string): Promise<CallResponse> => {
      const request = goodRequest(route, ids.own);
      const headers = { ...request.headers, "x-team": team };
      return call(api.url + fill(route, ids.own), { ...request, key: api.own.key, headers });
    };
    const [unknown, other] = [await of(unknownId()), await of(api.other.teamId)];
    expect([route.path, other.status]).toEqual([route.path, unknown.status]);
    expect(other.text).not.toContain(api.other.teamId);
    if (unknown.status !== 404) continue;
    expect([route.path, comparable(other)]).toEqual([route.path, comparable(unknown)]);
    refusing.push(`${route.method} ${route.path}`);
  }
  expect(refusing).toEqual(expect.arrayContaining(["GET /v1/tasks", "POST /v1/services", "POST /v1/uploads"]));
});

test("one's own are found, so that the refusals above mean something", async () => {
  const read = routes.filter(({ method, path }) => method === "GET" && path.includes("{"));
  for (const route of read) {
    const found = isWebSocket(route) ? 426 : 200;
    expect([route.path, (await get(fill(route, ids.own), api.own.key)).status]).toEqual([route.path, found]);
  }
});

test("a deployment of one's own is not found under another service of one's own", async () => {
  const second = await addReadyService(api.store, api.own);
  const path = `/v1/services/${second.id}/deployments/${ids.own.deployments}`;
  expect((await get(path, api.own.key)).status).toBe(404);
});

describe("lists and creates", () => {
  test("show and make nothing in another team", async () => {
    for (const path of ["/v1/tasks", "/v1/services", "/v1/teams", "/v1/keys", "/v1/me"]) {
      const { text } = await get(path, api.own.key);
      for (const id of [ids.other.services, ids.other.tasks, api.other.teamId]) expect(text).not.toContain(id);
    }
    for (const team of [api.other.teamId, newId(Date.now()), "x", ""]) {
      const options = { key: api.own.key, headers: { "x-team": team } };
      const listed = await call(`${api.url}/v1/tasks`, options);
      const made = await call(`${api.url}/v1/services`, { ...options, body: '{"service_name":"x"}' });
      expect([team, listed.status, made.status]).toEqual([team, 404, 404]);
    }
  });

  test("of a user in two teams act in the requested team", async () => {
    const { userId } = api.own;
    await api.store.commit([
      {
        kind: "write",
        record: "memberships",
        id: `${userId}/${api.other.teamId}`,
        from: 0,
        value: { userId, teamId: api.other.teamId, role: "member", createdAt: Date.now() },
      },
    ]);
    const both = await addKey(api.store, { userId, defaultTeamId: api.own.teamId });
    const bound = await addKey(api.store, { userId, defaultTeamId: api.own.teamId, teamId: api.own.teamId });
    const teams = (key: string) => call(`${api.url}/v1/teams`, { key }).then(({ json }) => json.items);
    const names = (await teams(both)).map((team: { name: string }) => team.name);
    expect(names).toEqual(expect.arrayContaining(["team other", "team own"]));
    expect((await teams(bound)).map((team: { default: boolean }) => team.default)).toEqual([true]);
    const made = await call(`${api.url}/v1/services`, {
      key: both,
      body: '{"service_name":"elsewhere"}',
      headers: { "x-team": api.other.teamId },
    });
    expect(made.json.team_name).toBe("team other");
    expect((await call(made.json.service_url, { key: both })).status).toBe(200);
    expect((await call(made.json.service_url, { key: bound })).status).toBe(404);
  });
});
