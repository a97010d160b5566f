/** What each role may do: generated over every route of the OpenAPI document, with the table that decides it. */
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionCookie } from "../auth/login-cookies.ts";
import { makeSession } from "../auth/make-session.ts";
import { ROLES, type Role, roleMay } from "../domain/role.ts";
import { create, replace } from "../store/change.ts";
import { PERMISSION_OF_OPERATION, permissionOfOperation } from "./access/permission.ts";
import { type Described, documentOf, operationsOf } from "./testing/api-document.ts";
import { type CallResponse, call } from "./testing/call.ts";
import { goodRequest } from "./testing/good-requests.ts";
import {
  addKey,
  addReadyService,
  addTenant,
  type HttpFixture,
  startHttpFixture,
  type Tenant,
} from "./testing/http-fixture.ts";
import { fill, type TenantThings, tenantThings } from "./testing/tenant-things.ts";

let api: HttpFixture;
let things: TenantThings;
let routes: readonly Described[];

beforeAll(async () => {
  api = await startHttpFixture();
  things = await tenantThings(api, api.own);
  routes = operationsOf(await documentOf(api.url));
});
afterAll(() => api.close());

/** A user with that role in the team of `api.own`, and a team where the user is an owner. */
async function userOf(role: Role): Promise<Tenant> {
  const user = await addTenant(api.store, role);
  const membership = { userId: user.userId, teamId: api.own.teamId, role, createdAt: Date.now() };
  await api.store.commit([create("memberships", membership)]);
  return { ...user, key: await addKey(api.store, { userId: user.userId, defaultTeamId: api.own.teamId }) };
}

function send(route: Described, key: string): Promise<CallResponse> {
  return call(api.url + fill(route, things), { key, ...goodRequest(route, things) });
}

const changes = ({ method }: Described) => method !== "GET";

test("the table has every operation that changes something, and no other but a few reads", () => {
  const listed = Object.keys(PERMISSION_OF_OPERATION).sort();
  const changing = routes.filter(changes).map(({ operation }) => operation.operationId);
  expect(listed.filter((id) => !changing.includes(id))).toEqual(["listAudit", "listInvitations", "openTerminal"]);
  expect(changing.filter((id) => !listed.includes(id))).toEqual([]);
});

test("an operation that is not in the table takes an owner if it changes something, and any member if not", () => {
  expect(permissionOfOperation("POST", "createSomething")).toBe("owners");
  expect(permissionOfOperation("GET", "getSomething")).toBe("read");
});

describe.each(ROLES)("a key of a user with the role %s", (role) => {
  test("is rejected with 403 and a sentence where the role is too low, and nowhere else", async () => {
    const { key } = await userOf(role);
    let refused = 0;
    for (const route of routes) {
      const { method, operation } = route;
      const permission = permissionOfOperation(method, operation.operationId);
      const may = permission === null || roleMay(role, permission);
      // What would remove what the other routes are sent, or the key itself.
      if (may && method === "DELETE") continue;
      const { status, json } = await send(route, key);
      expect([method, route.path, status === 403 && json.code === "role_missing"]).toEqual([method, route.path, !may]);
      if (may) continue;
      refused += 1;
      expect(json.detail).toContain(`Your role in the team is ${role}; this takes the role `);
    }
    expect(refused).toBe(
      Object.values(PERMISSION_OF_OPERATION).filter((needed) => needed !== null && !roleMay(role, needed)).length,
    );
  });
});

test("a session has its user's role too", async () => {
  const { userId } = await userOf("viewer");
  const of = { userId, defaultTeamId: api.own.teamId, provider: "login-link", userAgent: "browser" };
  const { record, cookie } = makeSession(of, Date.now());
  await api.store.commit([create("sessions", record)]);
  const headers = { cookie: sessionCookie.setCookie(cookie, api.url).split(";")[0] ?? "", origin: api.url };
  expect((await call(`${api.url}/v1/services/${things.services}`, { headers })).status).toBe(200);
  const made = await call(`${api.url}/v1/services`, { headers, body: '{"service_name":"x"}' });
  expect([made.status, made.json.code]).toEqual([403, "role_missing"]);
});

test("the role is that in the team of the call, not in another", async () => {
  const { userId, teamId } = await userOf("viewer");
  const key = await addKey(api.store, { userId, defaultTeamId: teamId });
  const to = (path: string, body: object, team?: string) =>
    call(`${api.url}/v1${path}`, {
      key,
      body: JSON.stringify(body),
      ...(team === undefined ? {} : { headers: { "x-team": team } }),
    }).then(({ status }) => status);
  expect(await to("/services", { service_name: "mine" })).toBe(201);
  expect(await to("/services", { service_name: "theirs" }, api.own.teamId)).toBe(403);
  expect(await to(`/services/${things.services}`, { input: 1 })).toBe(403);
  const newKey = { name: "ci", scopes: ["tasks:read"] };
  expect(await to("/keys", newKey)).toBe(201);
  expect(await to("/keys", { ...newKey, team_id: api.own.teamId })).toBe(403);
});

test("a lower role holds for the next request", async () => {
  const { key, userId } = await userOf("member");
  const cancel = () => call(`${api.url}/v1/tasks/${things.tasks}/cancel`, { key, method: "POST" });
  expect((await cancel()).status).toBe(200);
  const before = await api.store.get("memberships", `${userId}/${api.own.teamId}`);
  if (before === null) throw new Error("no membership");
  await api.store.commit([replace("memberships", before, { ...before.value, role: "viewer" })]);
  expect((await cancel()).json.code).toBe("role_missing");
});

test("shows a viewer only the origin of a webhook's address", async () => {
  const { id: serviceId } = await addReadyService(api.store, api.own);
  const body = JSON.stringify({ name: "hook", url: "https://hooks.example/in/token?token=secret" });
  const made = await call(`${api.url}/v1/services/${serviceId}/webhooks`, { key: api.own.key, body });
  const { webhook_id: id } = JSON.parse(made.text);
  const tested = await call(`${api.url}/v1/webhooks/${id}/test`, { key: api.own.key, method: "POST" });
  const { delivery_id: deliveryId } = JSON.parse(tested.text);
  for (const [role, shown] of [
    ["member", "https://hooks.example/in/token?token=secret"],
    ["viewer", "https://hooks.example"],
  ] as const) {
    const { key } = await userOf(role);
    const one = await call(`${api.url}/v1/webhooks/${id}`, { key });
    const list = await call(`${api.url}/v1/services/${serviceId}/webhooks`, { key });
    const delivery = await call(`${api.url}/v1/deliveries/${deliveryId}`, { key });
    const urls = [JSON.parse(one.text).url, JSON.parse(list.text).items[0].url, JSON.parse(delivery.text).request.url];
    expect(urls).toEqual([shown, shown, shown]);
  }
});

test("a viewer is shown a shell without its password", async () => {
  const passwords = [];
  for (const role of ["member", "viewer"] as const) {
    const { key } = await userOf(role);
    passwords.push((await call(`${api.url}/v1/shells/${things.shells}`, { key })).json.password);
  }
  expect(passwords).toEqual([expect.any(String), null]);
});

test("a team that the user is not in is not found, whatever the operation takes", async () => {
  const { key } = await userOf("viewer");
  const headers = { "x-team": newId(Date.now()) };
  const { status } = await call(`${api.url}/v1/services`, { key, headers, body: '{"service_name":"x"}' });
  expect(status).toBe(404);
});
