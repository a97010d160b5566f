import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../../domain/role.ts";
import { create } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addTenant, type HttpFixture, startHttpFixture, type Tenant } from "../testing/http-fixture.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function send(method: string, path: string, key: string, body?: object): Promise<CallResponse> {
  return call(`${api.url}/v1/teams${path}`, { key, method, ...(body && { body: JSON.stringify(body) }) });
}

describe("a new team", () => {
  test("has its creator as owner, who invites others and deploys in it", async () => {
    const ada = await addTenant(api.store, "ada");
    const made = await send("POST", "", ada.key, { name: "studio" });
    expect([made.status, made.json]).toEqual([
      201,
      {
        team_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        name: "studio",
        role: "owner",
        created: expect.any(String),
        origins: [],
        default: false,
      },
    ]);
    const id = made.json.team_id ?? "";
    expect(made.headers.get("location")).toBe(`${api.url}/v1/teams/${id}`);
    expect((await send("GET", `/${id}`, ada.key)).json).toEqual(made.json);
    expect((await send("GET", "?size=100", ada.key)).json.items).toContainEqual(made.json);
    expect((await send("POST", `/${id}/invitations`, ada.key, {})).status).toBe(201);
    const service = await call(`${api.url}/v1/services`, {
      key: ada.key,
      headers: { "x-team": id },
      body: '{"service_name":"first"}',
    });
    expect(service.json.team_name).toBe("studio");
    expect((await send("GET", `/${id}`, api.other.key)).status).toBe(404);
    expect(
      (await send("GET", `/${id}/audit`, ada.key)).json.items.map((one) => (one as { action?: string }).action),
    ).toEqual(["createService", "createInvitation", "createTeam"]);
  });

  test.each([
    ["", "empty"],
    ["<b>team</b>\u202e", "turned"],
    ["\u001b[2Jteam", "ANSI"],
    [" team", "padded"],
    ["x".repeat(101), "long"],
  ])("is rejected with 422 for the name %j", async (name) => {
    const refused = await send("POST", "", api.own.key, { name });
    expect([refused.status, refused.json.errors?.[0]?.pointer]).toEqual([422, "#/name"]);
  });

  test("takes a key for all teams of its user", async () => {
    const { userId, teamId } = api.own;
    const bound = await addKey(api.store, { userId, defaultTeamId: teamId, teamId });
    expect((await send("POST", "", bound, { name: "studio" })).json.code).toBe("beyond_key");
  });
});

describe("a team", () => {
  let owner: Tenant;

  async function member(role: Role): Promise<Tenant> {
    const user = await addTenant(api.store, role);
    const membership = { userId: user.userId, teamId: owner.teamId, role, createdAt: 0 };
    await api.store.commit([create("memberships", membership)]);
    return user;
  }

  beforeAll(async () => {
    owner = await addTenant(api.store, "grace");
  });

  test("is renamed by owners and admins", async () => {
    for (const [role, status] of [
      ["viewer", 403],
      ["member", 403],
      ["admin", 200],
    ] as const) {
      const { key } = await member(role);
      expect([role, (await send("PATCH", `/${owner.teamId}`, key, { name: `by ${role}` })).status]).toEqual([
        role,
        status,
      ]);
    }
    expect((await send("GET", `/${owner.teamId}`, owner.key)).json.name).toBe("by admin");
    expect((await send("PATCH", `/${owner.teamId}`, owner.key, { name: "a\nb" })).status).toBe(422);
    expect((await send("PATCH", `/${owner.teamId}`, api.other.key, { name: "mine" })).status).toBe(404);
  });

  test("says how much of each quota is used, and its caller's own to keys for all teams", async () => {
    await call(`${api.url}/v1/services`, { key: owner.key, body: '{"service_name":"one"}' });
    const quotas = async (key: string) => (await send("GET", `/${owner.teamId}/quotas`, key)).json.items;
    const all = await quotas(owner.key);
    expect(all).toContainEqual({ name: "services", scope: "team", used: 1, max: 1000 });
    expect(all).toContainEqual({ name: "members", scope: "team", used: 4, max: 200 });
    expect(all).toContainEqual({ name: "access_keys", scope: "user", used: 1, max: 100 });
    const { userId, teamId } = owner;
    const bound = await addKey(api.store, { userId, defaultTeamId: teamId, teamId });
    expect((await quotas(bound)).length).toBe(all.length - 2);
  });
});
