/** Who may call at all: generated over every route of the OpenAPI document, with the scopes that it names there. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatKeyText, newKeyText } from "../auth/key-text.ts";
import { SCOPES, type Scope } from "../domain/access-key.ts";
import { type Described, documentOf, operationsOf, type Security } from "./testing/api-document.ts";
import { type CallResponse, call } from "./testing/call.ts";
import { goodRequest } from "./testing/good-requests.ts";
import { addKey, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { fill, type TenantThings, tenantThings } from "./testing/tenant-things.ts";

interface Route extends Described {
  readonly security: Security;
}

let api: HttpFixture;
let things: TenantThings;
let routes: readonly Route[];

beforeAll(async () => {
  api = await startHttpFixture();
  things = await tenantThings(api, api.own);
  const document = await documentOf(api.url);
  routes = operationsOf(document).map((one) => ({ ...one, security: one.operation.security ?? document.security }));
});
afterAll(() => api.close());

function callRoute(route: Route, key: string | undefined): Promise<CallResponse> {
  const options = key === undefined ? {} : { key };
  return call(`${api.url}${fill(route, things)}`, { ...options, ...goodRequest(route, things) });
}

function newKey(given: Parameters<typeof addKey>[1] | object): Promise<string> {
  return addKey(api.store, { userId: api.own.userId, defaultTeamId: api.own.teamId, ...given });
}

/** Those that take nothing but keys. */
function guarded(): readonly { readonly route: Route; readonly scopes: readonly Scope[] }[] {
  return routes.flatMap((route) => {
    const keyOnly =
      route.security.length > 0 && route.security.every((one) => "accessKey" in one || "bearerAuth" in one);
    return keyOnly ? [{ route, scopes: route.security.flatMap((one) => one.accessKey ?? []) as readonly Scope[] }] : [];
  });
}

test("only the named few are open, or take something else than a key", () => {
  const others = routes.filter((route) => !guarded().some((one) => one.route === route)).map(({ path }) => path);
  expect(others.sort()).toEqual([
    "/healthz",
    "/readyz",
    "/v1/device/code",
    "/v1/device/token",
    "/v1/login/providers",
    "/v1/login/{provider}",
    "/v1/login/{provider}/callback",
    "/v1/openapi.json",
    "/v1/registry/token",
    "/v1/sessions",
    "/v1/source-hosts/{host}/callback",
    "/v1/source-hosts/{host}/webhook",
    "/v1/tasks/{id}/result",
  ]);
});

describe("every route refuses with 401", () => {
  const cases: readonly (readonly [string, string, () => Promise<string | undefined>])[] = [
    ["no key", "key_missing", async () => undefined],
    ["an empty key", "key_missing", async () => ""],
    ["a malformed key", "key_invalid", async () => `${api.own.key}x`],
    ["an unknown key", "key_invalid", async () => formatKeyText(newKeyText())],
    ["a key of another secret", "key_invalid", async () => otherSecret(api.own.key)],
    ["an expired key", "key_invalid", () => newKey({ expiresAt: Date.now() - 1 })],
    ["a revoked key", "key_invalid", () => newKey({ revokedAt: Date.now() - 1 })],
    ["a key that a restore left disabled", "key_invalid", () => newKey({ disabledAt: Date.now() - 1 })],
  ];

  test.each(cases)("%s", async (_, code, make) => {
    const key = await make();
    for (const route of routes.filter(({ security }) => security.length > 0)) {
      const response = await callRoute(route, key);
      expect([route.method, route.path, response.status, response.json.code]).toEqual([
        route.method,
        route.path,
        401,
        code,
      ]);
      expect(response.headers.get("www-authenticate")).not.toBeNull();
    }
  });
});

test("a key as a bearer token opens what it opens in x-api-key, and nothing once it is revoked", async () => {
  const list = async (key: string) => {
    const response = await fetch(`${api.url}/v1/services`, { headers: { authorization: `Bearer ${key}` } });
    const { code, detail } = (await response.json()) as { readonly code?: string; readonly detail?: string };
    return [response.status, code, detail];
  };
  expect(await list(api.own.key)).toEqual([200, undefined, undefined]);
  expect(await list(await newKey({ revokedAt: Date.now() - 1 }))).toEqual([401, "key_invalid", expect.any(String)]);
  const bothWays = expect.stringContaining("in the header x-api-key or as Authorization: Bearer <key>");
  expect(await list("eyJhbGciOi")).toEqual([401, "key_missing", bothWays]);
  expect(await list(`${api.own.key}x`)).toEqual([401, "key_invalid", bothWays]);
});

test("refuses two different keys in one request with 401, whichever are valid, and takes the same one twice", async () => {
  const other = api.other.key;
  const list = (own: string, bearer: string) =>
    call(`${api.url}/v1/services`, { key: own, headers: { authorization: `Bearer ${bearer}` } });
  for (const [own, bearer] of [
    [api.own.key, other],
    [other, api.own.key],
    [api.own.key, `${api.own.key}x`],
  ] as const) {
    const { status, json } = await list(own, bearer);
    expect([status, json.code, json.detail]).toEqual([401, "key_invalid", expect.stringContaining("two different")]);
  }
  expect((await list(api.own.key, api.own.key)).status).toBe(200);
});

test("every route that takes a key in its header is described as taking it as a bearer token too", () => {
  for (const { security, method, path } of routes) {
    const scopes = (name: string) => security.flatMap((one) => (one[name] === undefined ? [] : [one[name]]));
    expect([method, path, scopes("bearerAuth")]).toEqual([method, path, scopes("accessKey")]);
  }
});

test("every route refuses a key without its scope, and names the scope", async () => {
  const scoped = guarded().filter(({ scopes }) => scopes.length > 0);
  expect(scoped.length).toBeGreaterThan(15);
  for (const { route, scopes } of scoped) {
    const key = await newKey({ scopes: SCOPES.filter((scope) => scope !== "admin" && !scopes.includes(scope)) });
    const response = await callRoute(route, key);
    const { status, json } = response;
    expect([route.method, route.path, status, json.code]).toEqual([route.method, route.path, 403, "scope_missing"]);
    for (const scope of scopes) expect(json.detail).toContain(scope);
  }
});

/** These take a key with every scope of a user: the role that they give opens as much. */
const GIVES_A_ROLE = ["POST /v1/teams/{id}/invitations", "PATCH /v1/teams/{id}/members/{userId}"];

test("every route lets a key through that has one of its scopes and no other, but for those that give a role", async () => {
  const left = new Set(GIVES_A_ROLE);
  for (const { route, scopes } of guarded()) {
    // Would remove what the requests to the other routes need.
    if (route.method === "DELETE" || left.delete(`${route.method} ${route.path}`)) continue;
    for (const scope of scopes) {
      const { status, json } = await callRoute(route, await newKey({ scopes: [scope] }));
      expect([route.method, route.path, scope, status, json?.code]).not.toEqual([
        route.method,
        route.path,
        scope,
        403,
        "scope_missing",
      ]);
      expect([route.path, status]).not.toEqual([route.path, 401]);
    }
  }
  expect([...left]).toEqual([]);
});

test("a key that may not read tasks is shown nothing of what one was given, or of what came of it", async () => {
  const key = await newKey({ scopes: SCOPES.filter((scope) => scope !== "admin" && scope !== "tasks:read") });
  const shown: string[] = [];
  for (const { route, scopes } of guarded()) {
    if (route.method === "DELETE" || scopes.includes("tasks:read")) continue;
    const { text, json } = await callRoute(route, key);
    expect([route.path, /"result":(?!null)|"result_url":(?!null)|\/result\?expires=/.exec(text)]).toEqual([
      route.path,
      null,
    ]);
    if (!text.startsWith("{") || !("task_id" in json) || !("phase" in json)) continue;
    const { input, result, result_url } = json;
    expect([route.path, input, result, result_url]).toEqual([route.path, null, null, null]);
    shown.push(`${route.method} ${route.path}: ${json.phase}`);
  }
  expect(shown.sort()).toEqual(["POST /v1/services/{id}: queued", "POST /v1/tasks/{id}/cancel: succeeded"]);
});

test("what is of no one team takes no key that is bound to a team, whatever its scopes", async () => {
  const bound = await newKey({ scopes: ["admin"], teamId: api.own.teamId });
  const refused: string[] = [];
  for (const { route } of guarded()) {
    // Would remove what the requests to the other routes need.
    const isDescribed = route.operation.description?.includes("bound to a team is refused") === true;
    if (route.method === "DELETE" && !isDescribed) continue;
    const { status, json } = await callRoute(route, bound);
    const isRefused = status === 403 && json.code === "beyond_key";
    expect([route.method, route.path, isRefused]).toEqual([route.method, route.path, isDescribed]);
    if (isRefused) refused.push(`${route.method} ${route.path}`);
  }
  expect(refused.sort()).toEqual([
    "DELETE /v1/join-tokens/{id}",
    "DELETE /v1/me",
    "DELETE /v1/me/accounts/{id}",
    "DELETE /v1/me/authorized-keys/{id}",
    "DELETE /v1/pool-tokens/{id}",
    "DELETE /v1/pools/{id}",
    "DELETE /v1/sessions",
    "DELETE /v1/sessions/{id}",
    "DELETE /v1/teams/{id}",
    "GET /v1/audit",
    "GET /v1/device/{user_code}",
    "GET /v1/fleet",
    "GET /v1/fleet/demand",
    "GET /v1/join-tokens",
    "GET /v1/me/accounts",
    "GET /v1/me/authorized-keys",
    "GET /v1/nodes",
    "GET /v1/nodes/{id}",
    "GET /v1/operators/teams",
    "GET /v1/operators/users",
    "GET /v1/pools",
    "GET /v1/pools/{id}",
    "GET /v1/pools/{id}/tokens",
    "GET /v1/sessions",
    "POST /v1/device/{user_code}",
    "POST /v1/fleet/resume-requeue",
    "POST /v1/invitations/accept",
    "POST /v1/join-tokens",
    "POST /v1/me/accounts",
    "POST /v1/me/authorized-keys",
    "POST /v1/nodes/{id}/drain",
    "POST /v1/nodes/{id}/evict",
    "POST /v1/nodes/{id}/resume",
    "POST /v1/operators/users",
    "POST /v1/operators/users/{id}/lock-out",
    "POST /v1/operators/users/{id}/login-links",
    "POST /v1/pools/{id}/resume",
    "POST /v1/pools/{id}/tokens",
    "POST /v1/teams",
    "PUT /v1/pools/{id}",
  ]);
});

test("every response to a key has what remains of its rate, and the policy", async () => {
  const response = await call(`${api.url}/v1/me`, { key: api.own.key });
  expect(response.headers.get("ratelimit-policy")).toMatch(/^"key-reads";q=\d+;w=10, "team-reads";q=\d+;w=10$/);
  expect(response.headers.get("ratelimit")).toMatch(/^"key-reads";r=\d+;t=\d+, "team-reads";r=\d+;t=\d+$/);
});

function otherSecret(key: string): string {
  const [, id = ""] = key.split("_");
  return formatKeyText({ id, secret: newKeyText().secret });
}
