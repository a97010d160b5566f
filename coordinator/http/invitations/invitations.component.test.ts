import { afterAll, beforeAll, expect, test } from "vitest";
import { replace } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addTenant, type HttpFixture, startHttpFixture, type Tenant } from "../testing/http-fixture.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function invite(body: object = {}, of: Tenant = api.own): Promise<CallResponse> {
  const options = { key: of.key, body: JSON.stringify(body) };
  return call(`${api.url}/v1/teams/${of.teamId}/invitations`, options);
}

/** The code of a new invitation. */
async function codeOf(made: Promise<CallResponse>): Promise<string> {
  return (await made).json.code;
}

function accept(code: string, key: string): Promise<CallResponse> {
  return call(`${api.url}/v1/invitations/accept`, { key, body: JSON.stringify({ code }) });
}

function open(of: Tenant = api.own): Promise<CallResponse> {
  return call(`${api.url}/v1/teams/${of.teamId}/invitations?size=100`, { key: of.key });
}

function expectNone({ status, json }: CallResponse): void {
  expect([status, json.code, json.detail]).toEqual([
    404,
    "not_found",
    "There is no such invitation: the code is mistyped, or was used, revoked or has expired.",
  ]);
}

test("a user joins by a code that was shown once, and the code is used up", async () => {
  const made = await invite({ role: "owner", expires_in_seconds: 3600 });
  expect(made.status).toBe(201);
  const { code, ...record } = made.json;
  expect(record).toEqual({
    invitation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    team_id: api.own.teamId,
    role: "owner",
    creator_id: api.own.userId,
    created: expect.any(String),
    expires: expect.any(String),
  });
  const listed = await open();
  expect(listed.json.items).toEqual([record]);
  expect(listed.text).not.toContain(code.split("_")[2]);
  const grace = await addTenant(api.store, "grace");
  const joined = await accept(code, grace.key);
  expect([joined.status, joined.json]).toEqual([
    200,
    {
      team_id: api.own.teamId,
      name: "team own",
      role: "owner",
      created: expect.any(String),
      origins: [],
      default: false,
    },
  ]);
  expect((await open()).json.items).toEqual([]);
  expectNone(await accept(code, (await addTenant(api.store, "joan")).key));
  const services = await call(`${api.url}/v1/services`, { key: grace.key, headers: { "x-team": api.own.teamId } });
  expect(services.status).toBe(200);
});

test("rejects with 403 whoever gives a role by a key that has not all of a user's scopes", async () => {
  const { userId, teamId } = api.own;
  const key = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["keys", "tasks:read"] });
  for (const role of ["owner", "viewer"]) {
    const { status, json } = await invite({ role }, { ...api.own, key });
    expect([status, json.code]).toEqual([403, "scope_missing"]);
    expect(json.detail).toContain("lacks tasks:write, services, shells");
  }
  const path = `${api.url}/v1/teams/${teamId}/members/${userId}`;
  const changed = await call(path, { method: "PATCH", key, body: JSON.stringify({ role: "owner" }) });
  expect([changed.status, changed.json.code]).toEqual([403, "scope_missing"]);
});

test("of many who come with one code, one joins", async () => {
  const code = await codeOf(invite());
  const users = await Promise.all(Array.from({ length: 20 }, (_, n) => addTenant(api.store, `user ${n}`)));
  const responses = await Promise.all(users.map(({ key }) => accept(code, key)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
});

test("a code that is wrong, revoked, expired, or whose maker may no longer invite, opens nothing", async () => {
  const { key } = await addTenant(api.store, "eve");
  const first = await invite();
  const { code } = first.json;
  for (const wrong of ["", "x", `${code}x`, code.replace(/.$/, (last: string) => (last === "a" ? "b" : "a"))]) {
    expectNone(await accept(wrong, key));
  }
  const revoked = await call(`${api.url}/v1/invitations/${first.json.invitation_id}`, {
    key: api.own.key,
    method: "DELETE",
  });
  expect(revoked.status).toBe(204);
  expectNone(await accept(code, key));

  const second = await invite();
  const record = await api.store.get("invitations", second.json.invitation_id);
  if (record === null) throw new Error("no record");
  await api.store.commit([replace("invitations", record, { ...record.value, expiresAt: Date.now() - 1 })]);
  expectNone(await accept(second.json.code, key));
  expect((await open()).json.items).toEqual([]);

  const maker = await addTenant(api.store, "maker");
  const third = await codeOf(invite({}, maker));
  const owns = await api.store.get("memberships", `${maker.userId}/${maker.teamId}`);
  if (owns === null) throw new Error("no membership");
  await api.store.commit([replace("memberships", owns, { ...owns.value, role: "member" })]);
  expectNone(await accept(third, key));
});

test("an owner who goes takes along the ways in that they made, for themself too", async () => {
  const first = await addTenant(api.store, "first");
  const second = await addTenant(api.store, "second");
  expect((await accept(await codeOf(invite({ role: "owner" }, first)), second.key)).status).toBe(200);
  const code = await codeOf(invite({}, { ...second, teamId: first.teamId }));
  const path = `${api.url}/v1/teams/${first.teamId}/members/${second.userId}`;
  expect((await call(path, { key: first.key, method: "DELETE" })).status).toBe(204);
  expect((await open(first)).json.items).toEqual([]);
  expectNone(await accept(code, second.key));
});

test("only owners and admins invite, list and revoke, and nobody joins twice or beyond a key", async () => {
  const grace = await addTenant(api.store, "grace");
  expect((await accept(await codeOf(invite()), grace.key)).status).toBe(200);
  const made = await invite();
  const again = await accept(made.json.code, grace.key);
  expect([again.status, again.json.code]).toEqual([409, "already_member"]);
  const asMember: Tenant = { ...grace, teamId: api.own.teamId };
  const revoking = { key: grace.key, method: "DELETE" };
  const refused = [
    await invite({}, asMember),
    await open(asMember),
    await call(`${api.url}/v1/invitations/${made.json.invitation_id}`, revoking),
  ];
  expect(refused.map(({ json }) => json.code)).toEqual(["role_missing", "role_missing", "role_missing"]);
  const { userId, teamId } = api.other;
  const bound = await addKey(api.store, { userId, defaultTeamId: teamId, teamId });
  expect((await accept(made.json.code, bound)).json.code).toBe("beyond_key");
});

test("an invitation lasts a week at most", async () => {
  const wrong: [object, string][] = [
    [{ expires_in_seconds: 7 * 86_400 + 1 }, "#/expires_in_seconds"],
    [{ expires_in_seconds: 0 }, "#/expires_in_seconds"],
    [{ role: "king" }, "#/role"],
    [{ email: "a@b" }, "#/email"],
  ];
  for (const [body, pointer] of wrong) {
    const { status, json } = await invite(body);
    expect([body, status, json.errors?.[0]?.pointer]).toEqual([body, 422, pointer]);
  }
  const { created, expires } = (await invite()).json;
  expect(Date.parse(`${expires}Z`) - Date.parse(`${created}Z`)).toBe(7 * 86_400_000);
});
