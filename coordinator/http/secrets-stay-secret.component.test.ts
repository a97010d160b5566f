/** The texts of keys and the codes of invitations are in no line of the log and in nothing that the store keeps. */
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./testing/call.ts";
import { addTenant, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";

let api: HttpFixture;
const lines: string[] = [];

beforeAll(async () => {
  api = await startHttpFixture(pino({ level: "trace" }, { write: (line) => void lines.push(line) }));
});
afterAll(() => api.close());

function post(path: string, key: string, body: object) {
  return call(`${api.url}/v1${path}`, { key, body: JSON.stringify(body) });
}

function audited(): readonly { readonly event: string; readonly [fact: string]: unknown }[] {
  return lines.map((line) => JSON.parse(line)).filter((line) => line.audit === true);
}

test("through a key's life, an invitation's, and refusals of all kinds", async () => {
  const made = (await post("/keys", api.own.key, { name: "ci", scopes: ["tasks:read"] })).json;
  const invited = (await post(`/teams/${api.own.teamId}/invitations`, api.own.key, {})).json;
  const grace = await addTenant(api.store, "grace");
  await post("/invitations/accept", grace.key, { code: `${invited.code}x` });
  await post("/invitations/accept", grace.key, { code: invited.code });
  const member = `${api.url}/v1/teams/${api.own.teamId}/members/${grace.userId}`;
  await call(member, { key: api.own.key, method: "DELETE" });
  // Mistyped, in the wrong place, without its scope, and revoked.
  await call(`${api.url}/v1/me`, { key: `${made.key}x` });
  await call(`${api.url}/v1/me?key=${made.key}`);
  await call(`${api.url}/v1/keys/${made.key}`, { key: api.own.key });
  await call(`${api.url}/${made.key}`);
  await call(`${api.url}/v1/keys`, { key: made.key });
  await call(`${api.url}/v1/keys/${made.key_id}`, { key: api.own.key, method: "DELETE" });
  await call(`${api.url}/v1/me`, { key: made.key });
  api.kv.faults.away = true;
  await post("/keys", api.own.key, { name: "lost", scopes: ["tasks:read"] });
  api.kv.faults.away = false;

  const log = lines.join("");
  const { entries } = await api.kv.range("/elastic/", { limit: 100_000 });
  const stored = entries.map((entry) => entry.key + entry.value.toString("latin1")).join("\n");
  expect(log).toContain(made.key_id);
  expect(stored).toContain(made.key_id);
  for (const text of [made.key, invited.code, api.own.key, grace.key]) {
    const secret = text.split("_").at(-1)?.slice(0, 30) ?? "";
    expect(secret).toHaveLength(30);
    expect(log).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }

  const at = { requestId: expect.any(String), address: "127.0.0.1" };
  const by = { requestId: expect.any(String), byKeyId: api.own.key.split("_")[1] };
  const { teamId, userId } = api.own;
  for (const event of [
    { event: "key_created", ...by, keyId: made.key_id, userId, scopes: ["tasks:read"] },
    { event: "invitation_created", ...by, teamId, invitationId: invited.invitation_id },
    { event: "member_added", userId: grace.userId, teamId, role: "member" },
    { event: "member_removed", ...by, userId: grace.userId, teamId },
    { event: "login_failed", ...at, why: "malformed", keyId: null },
    { event: "login_failed", ...at, why: "missing", keyId: null },
    { event: "login_failed", ...at, why: "scope_missing", keyId: made.key_id },
    { event: "key_revoked", ...by, keyId: made.key_id, userId },
    { event: "login_failed", ...at, why: "revoked", keyId: made.key_id },
  ]) {
    expect(audited()).toContainEqual(expect.objectContaining(event));
  }
});
