import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Role } from "../../domain/role.ts";
import { create } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addReadyService, addTenant, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;
/** A new team for each test. */
let teamId: string;
let owner: string;
let ownerId: string;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());
beforeEach(async () => {
  ({ teamId, key: owner, userId: ownerId } = await addTenant(api.store, "ada"));
});

async function member(name: string, role: Role = "member"): Promise<{ readonly id: string; readonly key: string }> {
  const { userId, key } = await addTenant(api.store, name);
  await api.store.commit([create("memberships", { userId, teamId, role, createdAt: Date.now() })]);
  return { id: userId, key };
}

function remove(userId: string, key: string): Promise<CallResponse> {
  return call(`${api.url}/v1/teams/${teamId}/members/${userId}`, { key, method: "DELETE" });
}

function list(key: string): Promise<CallResponse> {
  return call(`${api.url}/v1/teams/${teamId}/members`, { key });
}

test("members see each other, by name", async () => {
  const grace = await member("grace");
  const { status, json } = await list(grace.key);
  expect(status).toBe(200);
  expect(json.items).toEqual([
    { user_id: ownerId, name: "user ada", role: "owner", since: expect.any(String) },
    { user_id: grace.id, name: "user grace", role: "member", since: expect.any(String) },
  ]);
});

test("an owner removes a member, whose keys then open nothing of the team", async () => {
  const grace = await member("grace");
  const { id } = await addReadyService(api.store, { teamId, userId: ownerId, key: owner });
  const bound = await addKey(api.store, { userId: grace.id, defaultTeamId: teamId, teamId });
  const statuses = () =>
    Promise.all(
      [grace.key, bound].flatMap((key) => [
        call(`${api.url}/v1/services/${id}`, { key }),
        call(`${api.url}/v1/services`, { key, headers: { "x-team": teamId } }),
        call(`${api.url}/v1/services/${id}`, { key, body: '{"input":1}' }),
      ]),
    ).then((responses) => responses.map(({ status }) => status));
  expect(await statuses()).toEqual([200, 200, 201, 200, 200, 201]);
  expect((await remove(grace.id, owner)).status).toBe(204);
  expect(await statuses()).toEqual([404, 404, 404, 404, 404, 404]);
  expect((await call(`${api.url}/v1/me`, { key: bound })).json).toMatchObject({ teams: [] });
  // Nor does the bound key make one for somebody else.
  const made = await call(`${api.url}/v1/keys`, { key: bound, body: '{"name":"x","scopes":["tasks:read"]}' });
  expect([made.status, made.json.detail]).toEqual([404, "There is no such team."]);
  expect((await remove(grace.id, owner)).status).toBe(404);
});

test("a member leaves, and removes nobody else", async () => {
  const [grace, joan] = [await member("grace"), await member("joan")];
  for (const id of [joan.id, ownerId, "f".repeat(32), "x"]) {
    const refused = await remove(id, grace.key);
    expect([id, refused.status, refused.json.code]).toEqual([id, 403, "role_missing"]);
  }
  expect((await remove(grace.id, grace.key)).status).toBe(204);
  expect((await list(grace.key)).status).toBe(404);
});

function give(userId: string, role: string, key: string): Promise<CallResponse> {
  return call(`${api.url}/v1/teams/${teamId}/members/${userId}`, {
    key,
    method: "PATCH",
    body: JSON.stringify({ role }),
  });
}

describe("a role", () => {
  test("is changed, and shown in lists", async () => {
    const grace = await member("grace");
    const changed = await give(grace.id, "viewer", owner);
    expect([changed.status, changed.json]).toEqual([
      200,
      { user_id: grace.id, name: "user grace", role: "viewer", since: expect.any(String) },
    ]);
    expect((await list(grace.key)).json.items).toMatchObject([{ role: "owner" }, { role: "viewer" }]);
    const teams = await call(`${api.url}/v1/teams?size=100`, { key: grace.key });
    expect(teams.json.items).toContainEqual(expect.objectContaining({ team_id: teamId, role: "viewer" }));
    expect((await give(grace.id, "viewer", owner)).status).toBe(200);
  });

  test("of an owner is for owners to give and to take", async () => {
    const [ada, grace] = [await member("ada", "admin"), await member("grace")];
    for (const [id, role] of [
      [ownerId, "viewer"],
      [grace.id, "owner"],
      [ada.id, "owner"],
    ] as const) {
      const refused = await give(id, role, ada.key);
      expect([id, role, refused.status, refused.json.code]).toEqual([id, role, 403, "role_missing"]);
    }
    expect((await remove(ownerId, ada.key)).json.code).toBe("role_missing");
    expect((await give(grace.id, "admin", ada.key)).status).toBe(200);
    expect((await give(ada.id, "member", grace.key)).status).toBe(200);
    expect((await remove(ada.id, grace.key)).status).toBe(204);
    expect((await give(grace.id, "owner", owner)).status).toBe(200);
    expect((await give(ownerId, "viewer", grace.key)).status).toBe(200);
  });

  test("takes along the invitations that it may not give", async () => {
    const grace = await member("grace", "owner");
    const invite = (role: string) =>
      call(`${api.url}/v1/teams/${teamId}/invitations`, { key: grace.key, body: JSON.stringify({ role }) });
    const codes = [(await invite("owner")).json, (await invite("viewer")).json].map(({ code }) => code);
    const open = () =>
      call(`${api.url}/v1/teams/${teamId}/invitations`, { key: owner }).then(({ json }) =>
        json.items.map(({ role }) => role),
      );
    expect((await open()).sort()).toEqual(["owner", "viewer"]);
    await give(grace.id, "admin", owner);
    expect(await open()).toEqual(["viewer"]);
    expect((await invite("owner")).json.code).toBe("role_missing");
    const joan = await addTenant(api.store, "joan");
    const accept = (code: string | undefined) =>
      call(`${api.url}/v1/invitations/accept`, { key: joan.key, body: JSON.stringify({ code }) });
    expect((await accept(codes[0])).status).toBe(404);
    expect((await accept(codes[1])).json.role).toBe("viewer");
    await give(grace.id, "member", owner);
    expect(await open()).toEqual([]);
  });

  test("is one of the four, of a member", async () => {
    expect((await give(ownerId, "king", owner)).json.errors?.[0]?.pointer).toBe("#/role");
    expect((await give("f".repeat(32), "viewer", owner)).status).toBe(404);
  });
});

describe("the last owner", () => {
  test("stays an owner, until there is another", async () => {
    const refused = await give(ownerId, "admin", owner);
    expect([refused.status, refused.json.code]).toEqual([409, "last_owner"]);
    await member("joan", "owner");
    expect((await give(ownerId, "viewer", owner)).status).toBe(200);
  });

  test("stays one when all owners take a lower role at the same time", async () => {
    const others = await Promise.all(["grace", "joan", "mary"].map((name) => member(name, "owner")));
    const owners = [...others, { id: ownerId, key: owner }];
    await Promise.all(
      owners.flatMap(({ id, key }, at) => [
        give(id, "member", key),
        give(owners[(at + 1) % owners.length]?.id ?? "", "viewer", key),
      ]),
    );
    const left = [...api.store.view.memberships.values()].filter(({ value }) => value.teamId === teamId);
    expect(left.filter(({ value }) => value.role === "owner")).not.toEqual([]);
  });

  test("cannot go, until there is another", async () => {
    await member("grace");
    const refused = await remove(ownerId, owner);
    expect([refused.status, refused.json.code]).toEqual([409, "last_owner"]);
    await member("joan", "owner");
    expect((await remove(ownerId, owner)).status).toBe(204);
  });

  test("stays when all owners leave, and remove each other, at the same time", async () => {
    const others = await Promise.all(["grace", "joan", "mary"].map((name) => member(name, "owner")));
    const owners = [...others, { id: ownerId, key: owner }];
    await Promise.all(
      owners.flatMap(({ id, key }, at) => [remove(id, key), remove(owners[(at + 1) % owners.length]?.id ?? "", key)]),
    );
    const left = [...api.store.view.memberships.values()].filter(({ value }) => value.teamId === teamId);
    expect(left.length).toBeGreaterThan(0);
    expect(left.every(({ value }) => value.role === "owner")).toBe(true);
  });
});
