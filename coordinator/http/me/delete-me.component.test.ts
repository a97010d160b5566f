/** A deleted user: what is rejected, and that nothing of the user is left but the mark. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseKeyText } from "../../auth/key-text.ts";
import { removeOfDeletedUser } from "../../expiry/deleted-users.ts";
import { call } from "../testing/call.ts";
import { addKey, addTenant, type HttpFixture, startHttpFixture, type Tenant } from "../testing/http-fixture.ts";
import { tenantThings } from "../testing/tenant-things.ts";

const DAY_MS = 86_400_000;

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function del(key: string, name: string) {
  return call(`${api.url}/v1/me?name=${encodeURIComponent(name)}`, { key, method: "DELETE" });
}

/** Keys of the records of the user's that open something. */
async function keysOf({ userId, key }: Tenant): Promise<readonly string[]> {
  const { entries } = await api.kv.range("/elastic/v1/", { limit: 100_000 });
  const opening =
    /\/(memberships|access-keys|sessions|accounts|login-links|invitations|device-codes|terminal-tickets|users)\//;
  return entries
    .filter((entry) => opening.test(entry.key))
    .filter((entry) => entry.key.includes(userId) || entry.value.includes(userId))
    .filter((entry) => !entry.key.includes(`${parseKeyText(key)?.id ?? "none"}/`))
    .map((entry) => entry.key);
}

test("rejects the only owner of a team, a wrong name and a bound key, and deletes nothing", async () => {
  const ada = await addTenant(api.store, "ada");
  const refused = await del(ada.key, "user ada");
  expect(refused.json).toMatchObject({ code: "last_owner", detail: expect.stringContaining("team ada") });
  expect((await del(ada.key, "user grace")).json).toMatchObject({ code: "invalid_request" });
  const of = { userId: ada.userId, defaultTeamId: ada.teamId };
  expect((await del(await addKey(api.store, { ...of, teamId: ada.teamId }), "user ada")).json.code).toBe("beyond_key");
  const narrow = await addKey(api.store, { ...of, scopes: ["tasks:read"] });
  expect((await del(narrow, "user ada")).json.code).toBe("scope_missing");
  expect((await call(`${api.url}/v1/me`, { key: ada.key })).json).toMatchObject({ teams: [{ role: "owner" }] });
});

test("rejects the user's keys at once, and leaves nothing that opened something but the mark", async () => {
  const ada = await addTenant(api.store, "ada");
  await tenantThings(api, ada);
  expect((await keysOf(ada)).length).toBeGreaterThan(5);
  expect((await del(ada.key, "user ada")).status).toBe(204);
  expect((await call(`${api.url}/v1/me`, { key: ada.key })).json.code).toBe("key_invalid");
  expect((await del(ada.key, "user ada")).status).toBe(401);

  const mark = api.store.view.users.get(ada.userId);
  if (mark === undefined) throw new Error("there is no mark");
  expect(mark.value).toMatchObject({ name: "user ada", deleted: { at: expect.any(Number) } });
  const { store, options } = api;
  await removeOfDeletedUser({ store, clock: options.clock, auditRetentionMs: DAY_MS }, mark);
  expect(await keysOf(ada)).toEqual([`/elastic/v1/records/users/${ada.userId}`]);
  const later = { now: () => options.clock.now() + 2 * DAY_MS };
  await removeOfDeletedUser({ store, clock: later, auditRetentionMs: DAY_MS }, mark);
  expect(store.view.users.get(ada.userId)).toBeUndefined();
});
