import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Role } from "../../domain/team.ts";
import { create } from "../../store/change.ts";
import { type Answer, call } from "../testing/call.ts";
import { addKey, addReadyService, addTenant, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;
/** A team of its own for each test. */
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

function remove(userId: string, key: string): Promise<Answer> {
  return call(`${api.url}/v1/teams/${teamId}/members/${userId}`, { key, method: "DELETE" });
}

function list(key: string): Promise<Answer> {
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
    ).then((answers) => answers.map(({ status }) => status));
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
    expect([id, refused.status, refused.json.code]).toEqual([id, 403, "owner_only"]);
  }
  expect((await remove(grace.id, grace.key)).status).toBe(204);
  expect((await list(grace.key)).status).toBe(404);
});

describe("the last owner", () => {
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
