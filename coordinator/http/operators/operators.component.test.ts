/** What operators do to users and teams over HTTP, and that nobody else does. */
import { newId } from "@elastic/std/ids.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LOGIN_LINKS_MAX } from "../../accounts/add-login-link.ts";
import { setOperator } from "../../accounts/set-operator.ts";
import { LOGIN_LINK_MS } from "../../domain/login-link.ts";
import { create } from "../../store/change.ts";
import { browse, cookieOf, postSession, sessionCookie } from "../testing/browser.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;

beforeEach(async () => {
  api = await startHttpFixture();
});
afterEach(() => api.close());

function operate(method: string, path: string, body?: object, key = api.own.key): Promise<CallResponse> {
  return call(`${api.url}/v1/operators${path}`, { method, key, ...(body && { body: JSON.stringify(body) }) });
}

test("a new user logs in with the link that the operator passes on, once", async () => {
  const made = await operate("POST", "/users", { name: "grace", team_id: api.other.teamId, role: "owner" });
  expect(made.status).toBe(201);
  const { login_url: url, ...user } = JSON.parse(made.text);
  expect(user).toMatchObject({ name: "grace", operator: false, open_keys: 0, sessions: 0 });
  expect(user.teams).toEqual([{ team_id: api.other.teamId, team_name: "team other", role: "owner" }]);
  const [page, token] = url.split("#token=");
  expect(page).toBe(`${api.url}/login`);
  const login = await postSession(api, token);
  const cookie = cookieOf(login.headers.get("set-cookie"));
  expect(JSON.parse((await browse(api, "/me", { cookie })).text)).toMatchObject({ name: "grace" });
  expect((await postSession(api, token)).status).toBe(401);
});

test("users and teams are listed by name, with what they have and nothing that they made", async () => {
  const users = JSON.parse((await operate("GET", "/users?name=USER")).text);
  expect(users.items.map(({ name, open_keys }: Record<string, unknown>) => [name, open_keys])).toEqual([
    ["user other", 1],
    ["user own", 1],
  ]);
  const teams = JSON.parse((await operate("GET", "/teams?name=own")).text);
  expect(teams.items).toEqual([
    expect.objectContaining({
      team_id: api.own.teamId,
      name: "team own",
      owners: 1,
      quotas: expect.arrayContaining([{ name: "members", scope: "team", used: 1, max: 200 }]),
    }),
  ]);
});

test("a user who is locked out has nothing that opens anything, and may be given a link to come back", async () => {
  const cookie = await sessionCookie(api, api.other, Date.now());
  expect((await browse(api, "/me", { cookie })).status).toBe(200);
  expect((await operate("POST", `/users/${api.other.userId}/lock-out`)).status).toBe(204);
  expect((await browse(api, "/me", { cookie })).status).toBe(401);
  expect((await call(`${api.url}/v1/me`, { key: api.other.key })).status).toBe(401);
  expect((await call(`${api.url}/v1/me`, { key: api.own.key })).status).toBe(200);
  expect((await operate("POST", `/users/${api.other.userId}/lock-out`)).status).toBe(204);
  const link = JSON.parse((await operate("POST", `/users/${api.other.userId}/login-links`)).text);
  expect((await postSession(api, link.login_url.split("#token=")[1])).status).toBe(201);
});

test("revokes the SSH keys and invitations of a user who is locked out", async () => {
  const ssh = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
  const body = JSON.stringify({ name: "laptop", key: ssh });
  expect((await call(`${api.url}/v1/me/authorized-keys`, { key: api.other.key, body })).status).toBe(201);
  const invited = await call(`${api.url}/v1/teams/${api.other.teamId}/invitations`, { key: api.other.key, body: "{}" });
  expect((await operate("POST", `/users/${api.other.userId}/lock-out`)).status).toBe(204);
  expect((await api.store.get("users", api.other.userId))?.value.authorizedKeys).toEqual([]);
  const code = JSON.stringify({ code: JSON.parse(invited.text).code });
  expect((await call(`${api.url}/v1/invitations/accept`, { key: api.own.key, body: code })).status).toBe(404);
});

test("names in each team's audit log only what a lock-out ended there", async () => {
  const { userId, teamId } = api.own;
  const elsewhere = api.other.teamId;
  await api.store.commit([create("memberships", { userId, teamId: elsewhere, role: "owner", createdAt: Date.now() })]);
  await addKey(api.store, { userId, defaultTeamId: elsewhere, teamId: elsewhere, name: "key of other" });
  const rescuer = await addKey(api.store, { userId: api.other.userId, defaultTeamId: elsewhere });
  expect((await operate("POST", `/users/${userId}/lock-out`, undefined, rescuer)).status).toBe(204);
  await api.store.commit([
    create("memberships", { userId: api.other.userId, teamId, role: "owner", createdAt: Date.now() }),
  ]);
  const logOf = async (team: string) => (await call(`${api.url}/v1/teams/${team}/audit`, { key: rescuer })).text;
  expect(await logOf(elsewhere)).toContain("key of other");
  expect(await logOf(teamId)).toContain("lockOutUser");
  expect(await logOf(teamId)).not.toContain("key of other");
});

test("creates all login links that are requested in parallel, whatever has expired", async () => {
  const now = Date.now();
  const expired = {
    userId: api.other.userId,
    secretSha256: "",
    createdAt: now - LOGIN_LINK_MS - 1,
    expiresAt: now - 1,
  };
  await api.store.commit([create("login-links", { id: newId(now), ...expired })]);
  const made = await Promise.all(
    Array.from({ length: 4 }, () => operate("POST", `/users/${api.other.userId}/login-links`)),
  );
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  for (const { text } of made) {
    expect((await postSession(api, JSON.parse(text).login_url.split("#token=")[1])).status).toBe(201);
  }
});

test("creates no user when no login link can be created", async () => {
  const now = Date.now();
  const open = { userId: api.other.userId, secretSha256: "", createdAt: now, expiresAt: now + LOGIN_LINK_MS };
  const links = Array.from({ length: LOGIN_LINKS_MAX }, () => create("login-links", { id: newId(now), ...open }));
  for (let first = 0; first < links.length; first += 50) await api.store.commit(links.slice(first, first + 50));
  const refused = await operate("POST", "/users", { name: "late", team_id: api.other.teamId });
  expect([refused.status, refused.json.code]).toEqual([503, "overloaded"]);
  expect((await operate("GET", "/users?name=late")).json.items).toEqual([]);
});

test("a user who is locked out gets in neither by a login link nor by a program's login of before", async () => {
  const link = JSON.parse((await operate("POST", `/users/${api.other.userId}/login-links`)).text);
  const begun = await call(`${api.url}/v1/device/code`, { body: JSON.stringify({ host_name: "laptop" }) });
  const { user_code, device_code } = JSON.parse(begun.text);
  const cookie = await sessionCookie(api, api.other, Date.now());
  const confirmed = await browse(api, `/device/${user_code}`, { cookie, body: JSON.stringify({ approve: true }) });
  expect(confirmed.status).toBe(204);
  expect((await operate("POST", `/users/${api.other.userId}/lock-out`)).status).toBe(204);
  expect((await postSession(api, link.login_url.split("#token=")[1])).status).toBe(401);
  const fetched = await call(`${api.url}/v1/device/token`, { body: JSON.stringify({ device_code }) });
  expect(fetched.json.code).toBe("expired_token");
});

test("an operator gets no link for an operator, with which the hour after a login would last for ever", async () => {
  const user = await api.store.get("users", api.own.userId);
  if (user === null) throw new Error("no user");
  await setOperator(api.store, user.value, true);
  const cookie = await sessionCookie(api, api.own, Date.now());
  const path = `/operators/users/${api.own.userId}/login-links`;
  expect(await browse(api, path, { cookie, method: "POST" })).toMatchObject({
    status: 403,
    json: { code: "beyond_key" },
  });
  expect((await operate("POST", `/users/${api.own.userId}/login-links`)).status).toBe(403);
});

test("nobody else sees or does any of it", async () => {
  const { userId, teamId } = api.own;
  const nodes = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["nodes", "keys"] });
  const bound = await addKey(api.store, { userId, defaultTeamId: teamId, teamId });
  for (const [method, path] of [
    ["GET", "/users"],
    ["GET", "/teams"],
    ["POST", `/users/${userId}/lock-out`],
    ["POST", `/users/${userId}/login-links`],
  ] as const) {
    expect((await operate(method, path, undefined, nodes)).json.code).toBe("scope_missing");
    expect((await operate(method, path, undefined, bound)).json.code).toBe("beyond_key");
  }
  expect((await operate("POST", "/users", { name: "eve", team_id: teamId }, nodes)).status).toBe(403);
  expect((await operate("POST", "/users", { name: "eve", team_id: "0".repeat(32) })).status).toBe(422);
  expect((await operate("POST", `/users/${"0".repeat(32)}/lock-out`)).status).toBe(404);
});
