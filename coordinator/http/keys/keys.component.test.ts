import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCOPES, type Scope } from "../../domain/access-key.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function send(method: string, path: string, body?: object, key = api.own.key): Promise<CallResponse> {
  const options = body === undefined ? {} : { body: JSON.stringify(body) };
  return call(`${api.url}/v1${path}`, { key, method, ...options });
}

function make(body: object, key = api.own.key): Promise<CallResponse> {
  return send("POST", "/keys", { name: "ci", scopes: ["tasks:read"], ...body }, key);
}

function keyWith(scopes: readonly Scope[], teamId: string | null = null): Promise<string> {
  return addKey(api.store, { userId: api.own.userId, defaultTeamId: api.own.teamId, scopes, teamId });
}

describe("a new key", () => {
  test("is shown once, with all that is known of it, and opens what it says", async () => {
    const made = await make({ scopes: ["tasks:read", "services", "services"] });
    expect(made.status).toBe(201);
    const { key, ...record } = made.json;
    expect(record).toEqual({
      key_id: expect.stringMatching(/^[0-9A-Za-z]{10}$/),
      name: "ci",
      prefix: `eps_${record.key_id}`,
      scopes: ["tasks:read", "services"],
      team_id: null,
      created: expect.any(String),
      made_by: expect.any(String),
      expires: expect.any(String),
      last_used: null,
      revoked: null,
    });
    expect(key.startsWith(`eps_${record.key_id}_`)).toBe(true);
    expect(made.headers.get("location")).toBe(`${api.url}/v1/keys/${record.key_id}`);
    expect((await send("GET", `/keys/${record.key_id}`)).json).toEqual(record);
    const me = await send("GET", "/me", undefined, key);
    expect(me.json).toMatchObject({
      user_id: api.own.userId,
      name: "user own",
      key: record,
      teams: [{ team_id: api.own.teamId, name: "team own", role: "owner", default: true }],
    });
    expect((await send("GET", "/services", undefined, key)).status).toBe(200);
    expect((await send("GET", "/keys", undefined, key)).json.code).toBe("scope_missing");
  });

  test("lives for ninety days, for as long as is said, or for ever", async () => {
    const days = ({ created, expires }: CallResponse["json"]) =>
      expires === null ? null : (Date.parse(`${expires}Z`) - Date.parse(`${created}Z`)) / 86_400_000;
    expect(days((await make({})).json)).toBe(90);
    expect(days((await make({ expires_in_seconds: 172_800 })).json)).toBe(2);
    expect(days((await make({ expires_in_seconds: null })).json)).toBeNull();
  });

  test("is refused for what cannot be", async () => {
    const wrong: [object, string][] = [
      [{ name: "" }, "#/name"],
      [{ name: "a\u202eb" }, "#/name"],
      [{ scopes: [] }, "#/scopes"],
      [{ scopes: ["all"] }, "#/scopes/0"],
      [{ expires_in_seconds: 0 }, "#/expires_in_seconds"],
      [{ expires_in_seconds: 1e12 }, "#/expires_in_seconds"],
      [{ expires_in_seconds: "never" }, "#/expires_in_seconds"],
      [{ team_id: 7 }, "#/team_id"],
      [{ expires: 60 }, "#/expires"],
      [{ user_id: api.other.userId }, "#/user_id"],
    ];
    for (const [body, pointer] of wrong) {
      const { status, json } = await make(body);
      expect([body, status, json.errors?.[0]?.pointer]).toEqual([body, 422, pointer]);
    }
  });

  test("has no scope that the key which makes it has not", async () => {
    for (const scope of SCOPES) {
      const narrow = await keyWith(SCOPES.filter((one) => one === "keys" || (one !== scope && one !== "admin")));
      const { status, json } = await make({ scopes: ["keys", scope] }, narrow);
      if (scope === "keys") expect(status).toBe(201);
      else expect([scope, status, json.code, json.detail.includes(scope)]).toEqual([scope, 403, "scope_missing", true]);
    }
    expect((await make({ scopes: [...SCOPES] }, api.own.key)).status).toBe(201);
  });

  test("ends no later than the key which makes it", async () => {
    const { userId, teamId: defaultTeamId } = api.own;
    const expiresAt = 1000 * Math.floor(Date.now() / 1000) + 600_000;
    const soon = await addKey(api.store, { userId, defaultTeamId, scopes: ["keys"], expiresAt });
    const of = (body: object) => make({ scopes: ["keys"], ...body }, soon);
    for (const expires_in_seconds of [null, 700, 90 * 86_400]) {
      const { status, json } = await of({ expires_in_seconds });
      const [refused] = json.errors ?? [];
      expect([expires_in_seconds, status, json.code, refused?.pointer]).toEqual([
        expires_in_seconds,
        403,
        "beyond_key",
        "#/expires_in_seconds",
      ]);
    }
    expect(Date.parse(`${(await of({})).json.expires}`)).toBe(expiresAt);
    const { json: child } = await of({ expires_in_seconds: 60 });
    expect(Date.parse(`${child.expires}`)).toBeLessThan(expiresAt);
    // Nor in more steps than one.
    const grandchild = await make({ scopes: ["keys"], expires_in_seconds: 120 }, child.key);
    expect(grandchild.json.code).toBe("beyond_key");
  });

  test("names the key with which it was made, also once that one is revoked, and stays then", async () => {
    const { json: maker } = await make({ scopes: ["keys"] });
    const { json: made } = await make({ scopes: ["keys"] }, maker.key);
    expect(made.made_by).toBe(maker.key_id);
    expect((await send("DELETE", `/keys/${maker.key_id}`)).status).toBe(204);
    expect((await send("GET", `/keys/${made.key_id}`, undefined, made.key)).json.made_by).toBe(maker.key_id);
    const byOperator = await addKey(api.store, { userId: api.own.userId, defaultTeamId: api.own.teamId });
    const listed = (await send("GET", "/keys?size=100", undefined, byOperator)).json.items;
    expect(listed.find(({ key_id }) => key_id === byOperator.split("_")[1])?.made_by).toBeNull();
  });

  test("reaches no team that the key which makes it does not", async () => {
    const { teamId } = api.own;
    const bound = await keyWith(["keys", "tasks:read"], teamId);
    expect((await make({}, bound)).json.team_id).toBe(teamId);
    expect((await make({ team_id: teamId }, bound)).json.team_id).toBe(teamId);
    expect((await make({ team_id: null }, bound)).json.code).toBe("beyond_key");
    expect((await make({ team_id: teamId })).json.team_id).toBe(teamId);
    for (const team of [api.other.teamId, "x", "", "f".repeat(32)]) {
      const { status, json } = await make({ team_id: team });
      expect([team, status, json.detail]).toEqual([team, 404, "There is no such team."]);
    }
  });
});

describe("the list of keys", () => {
  test("has one's own, newest first, and never a secret", async () => {
    const { json } = await make({ name: "newest" });
    const listed = await send("GET", "/keys?size=100");
    const ids = listed.json.items.map(({ key_id }) => key_id);
    const stamps = listed.json.items.map(({ created }) => created);
    expect(ids).toContain(json.key_id);
    expect(stamps).toEqual(stamps.toSorted().reverse());
    expect(listed.text).not.toContain(json.key.slice(15));
    expect(listed.text).not.toMatch(/sha256/i);
    expect(listed.text).not.toContain(api.other.key.split("_")[1]);
  });

  test("of a key that is bound to a team has only those that are bound to it too", async () => {
    const bound = await keyWith(["keys"], api.own.teamId);
    const { items } = (await send("GET", "/keys?size=100", undefined, bound)).json;
    expect(new Set(items.map(({ team_id }) => team_id))).toEqual(new Set([api.own.teamId]));
    const wide = (await make({})).json.key_id;
    for (const method of ["GET", "DELETE"]) {
      expect([method, (await send(method, `/keys/${wide}`, undefined, bound)).status]).toEqual([method, 404]);
    }
  });

  test("forgets what ended long ago, so that it stays as short as the quota", async () => {
    const { userId } = api.other;
    const ended = Array.from({ length: 150 }, (_, n) =>
      addKey(api.store, { userId, defaultTeamId: api.other.teamId, createdAt: n, revokedAt: 200 }),
    );
    await Promise.all(ended);
    expect((await make({}, api.other.key)).status).toBe(201);
    const { json } = await send("GET", "/keys?size=100", undefined, api.other.key);
    // The one that lists, the new one, and the hundred that ended last.
    expect(json.total).toBe(102);
  });
});

describe("a key that is revoked", () => {
  test("opens nothing from the response on, says so, and stays in the list", async () => {
    const { json } = await make({ scopes: ["keys"] });
    expect((await send("DELETE", `/keys/${json.key_id}`)).status).toBe(204);
    const refused = await send("GET", "/me", undefined, json.key);
    expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
      401,
      "key_invalid",
      "The access key was revoked.",
    ]);
    const { revoked } = (await send("GET", `/keys/${json.key_id}`)).json;
    expect(revoked).toMatch(/^\d{4}-/);
    expect((await send("DELETE", `/keys/${json.key_id}`)).status).toBe(204);
    expect((await send("GET", `/keys/${json.key_id}`)).json.revoked).toBe(revoked);
  });

  test("may be the key of the request", async () => {
    const { json } = await make({ scopes: ["keys"] });
    expect((await send("DELETE", `/keys/${json.key_id}`, undefined, json.key)).status).toBe(204);
    expect((await send("DELETE", `/keys/${json.key_id}`, undefined, json.key)).status).toBe(401);
  });
});

test("a key shows when it was used, soon after", async () => {
  const { json } = await make({ scopes: ["tasks:read"] });
  const lastUsed = async () => (await send("GET", `/keys/${json.key_id}`)).json.last_used;
  expect(await lastUsed()).toBeNull();
  await send("GET", "/me", undefined, json.key);
  await expect.poll(lastUsed, { timeout: 10_000 }).toMatch(/^\d{4}-/);
});

test("a key that a restore left disabled says so", async () => {
  const { userId, teamId: defaultTeamId } = api.own;
  const key = await addKey(api.store, { userId, defaultTeamId, disabledAt: 1 });
  const refused = await send("GET", "/me", undefined, key);
  expect([refused.status, refused.json.detail]).toEqual([
    401,
    expect.stringMatching(/disabled since .* restored from a backup/),
  ]);
});
