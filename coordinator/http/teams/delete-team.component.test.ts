/** A deleted team: what is rejected at once, and that nothing of it is left. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeOfDeletedTeam } from "../../expiry/deleted-teams.ts";
import { create } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import {
  addKey,
  addReadyService,
  addTenant,
  type HttpFixture,
  startHttpFixture,
  type Tenant,
} from "../testing/http-fixture.ts";
import { moveEnded } from "../testing/move-tasks.ts";
import { claimTask, succeedTask } from "../testing/run-task.ts";
import { tenantThings } from "../testing/tenant-things.ts";

const DAY_MS = 86_400_000;

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function del({ teamId }: Pick<Tenant, "teamId">, key: string, name: string) {
  return call(`${api.url}/v1/teams/${teamId}?name=${encodeURIComponent(name)}`, { key, method: "DELETE" });
}

interface StoredEntry {
  readonly key: string;
  readonly text: string;
}

/** All of the store but the audit entries, which move to the archive. */
async function storeEntries(): Promise<readonly StoredEntry[]> {
  const { entries } = await api.kv.range("/elastic/v1/", { limit: 100_000 });
  return entries
    .map(({ key, value }) => ({ key, text: key + value.toString("utf8") }))
    .filter(({ key }) => !key.includes("/audit-entries/"));
}

/** Keys of what is, or names, something of the team. */
async function keysNaming(teamId: string): Promise<readonly string[]> {
  return (await storeEntries()).filter(({ text }) => text.includes(teamId)).map(({ key }) => key);
}

/** What the leader does, until nothing is left to do. `aheadMs` is added to the clock. */
async function removeAll(teamId: string, aheadMs = 0): Promise<void> {
  const { kv, store, archive, logs, options } = api;
  const clock = { now: () => options.clock.now() + aheadMs };
  const given = { kv, store, archive, logs, clock, log: options.log, auditRetentionMs: DAY_MS };
  for (let rounds = 0; rounds < 20; rounds++) {
    const team = store.view.teams.get(teamId);
    if (team === undefined || (await removeOfDeletedTeam(given, team)) === 0) return;
  }
  throw new Error("there is more to remove after each round");
}

test("rejects a member, another team's owner, a key without the scope and a wrong name, and deletes nothing", async () => {
  const ada = await addTenant(api.store, "ada");
  const grace = await addTenant(api.store, "grace");
  for (const role of ["admin", "member", "viewer"] as const) {
    const { userId, key } = await addTenant(api.store, role);
    await api.store.commit([create("memberships", { userId, teamId: ada.teamId, role, createdAt: 0 })]);
    const refused = await del(ada, key, "team ada");
    expect([role, refused.status, refused.json.code]).toEqual([role, 403, "role_missing"]);
  }
  expect((await del(ada, grace.key, "team ada")).status).toBe(404);
  const of = { userId: ada.userId, defaultTeamId: ada.teamId };
  const narrow = await addKey(api.store, { ...of, scopes: ["tasks:read", "services"] });
  expect((await del(ada, narrow, "team ada")).json.code).toBe("scope_missing");
  const bound = await addKey(api.store, { ...of, teamId: ada.teamId });
  expect((await del(ada, bound, "team ada")).json.code).toBe("beyond_key");
  expect((await del(ada, ada.key, "team grace")).json).toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "name" }],
  });
  expect((await call(`${api.url}/v1/teams/${ada.teamId}`, { key: ada.key, method: "DELETE" })).status).toBe(422);
  expect((await call(`${api.url}/v1/teams/${ada.teamId}`, { key: ada.key })).status).toBe(200);
});

test("rejects every key of the team at once, and finds no team to delete again", async () => {
  const ada = await addTenant(api.store, "ada");
  const { id } = await addReadyService(api.store, ada);
  const bound = await addKey(api.store, { userId: ada.userId, defaultTeamId: ada.teamId, teamId: ada.teamId });
  const member = await addTenant(api.store, "member");
  const membership = { userId: member.userId, teamId: ada.teamId, role: "member", createdAt: 0 } as const;
  await api.store.commit([create("memberships", membership)]);
  const statuses = () =>
    Promise.all(
      [ada.key, member.key, bound].map(async (key) => {
        const posted = await call(`${api.url}/v1/services/${id}`, { key, body: '{"input":1}' });
        const listed = await call(`${api.url}/v1/services`, { key, headers: { "x-team": ada.teamId } });
        return [posted.status, listed.status];
      }),
    );
  expect(await statuses()).toEqual([
    [201, 200],
    [201, 200],
    [201, 200],
  ]);
  expect((await del(ada, ada.key, "team ada")).status).toBe(204);
  expect(await statuses()).toEqual([
    [404, 404],
    [404, 404],
    [401, 401],
  ]);
  expect((await del(ada, ada.key, "team ada")).status).toBe(404);
  expect((await call(`${api.url}/v1/me`, { key: ada.key })).json).toMatchObject({ teams: [] });
});

test("leaves nothing of the team in the store but the mark, nor of its tasks in the archive and the logs", async () => {
  const before = new Set((await storeEntries()).map(({ key }) => key));
  const ada = await addTenant(api.store, "ada");
  await tenantThings(api, ada);
  await moveEnded(api);
  const { id } = await addReadyService(api.store, ada);
  const headers = { "idempotency-key": "once", "content-type": "application/json" };
  const { json } = await call(`${api.url}/v1/services/${id}`, { key: ada.key, body: '{"input":1}', headers });
  await claimTask(api, json.task_id);
  await succeedTask(api, json.task_id, "secret");
  const named = await call(`${api.url}/v1/services`, { key: ada.key, body: '{"service_name":"named"}' });
  expect(named.status).toBe(201);
  await addKey(api.store, { userId: ada.userId, defaultTeamId: ada.teamId, teamId: ada.teamId });
  expect((await api.archive.list({ teamId: ada.teamId }, { offset: 0, limit: 1 })).total).toBe(2);
  const kinds = new Set((await keysNaming(ada.teamId)).map((key) => key.split("/").slice(3, 5).join("/")));
  expect(kinds.size).toBeGreaterThan(15);

  expect((await del(ada, ada.key, "team ada")).status).toBe(204);
  await removeAll(ada.teamId);

  // Of users, of machines, and of the team that the user was invited to.
  const host = [...api.store.view.teams.values()].find(({ value }) => value.name === "team host")?.value.id ?? "none";
  const others =
    /\/(users|access-keys|sessions|accounts|login-links|device-codes|nodes|join-tokens|pools|pool-tokens)\//;
  const left = (await storeEntries()).filter(
    ({ key, text }) => !before.has(key) && !text.includes(host) && !others.test(key),
  );
  expect(left.map(({ key }) => key)).toEqual([`/elastic/v1/records/teams/${ada.teamId}`]);
  expect(api.store.view.teams.get(ada.teamId)?.value).toMatchObject({
    name: "team ada",
    deleted: { at: expect.any(Number), byUserId: ada.userId },
  });
  expect((await api.archive.list({ teamId: ada.teamId }, { offset: 0, limit: 1 })).total).toBe(0);
  const entries = [...api.store.view.auditEntries.of(ada.teamId)].map(({ value }) => value);
  expect(entries.find(({ action }) => action === "deleteTeam")).toMatchObject({
    userId: ada.userId,
    object: { kind: "team", id: ada.teamId, name: "team ada" },
    after: { deleted: true },
  });
  await removeAll(ada.teamId, 2 * DAY_MS);
  expect(api.store.view.teams.get(ada.teamId)).toBeUndefined();
});

test("rejects or removes each task that is posted while the team is deleted", async () => {
  const ada = await addTenant(api.store, "ada");
  const { id } = await addReadyService(api.store, ada);
  const post = () => call(`${api.url}/v1/services/${id}`, { key: ada.key, body: '{"input":1}' });
  const posts = Array.from({ length: 20 }, post);
  const deletion = del(ada, ada.key, "team ada");
  const later = Array.from({ length: 20 }, post);
  expect((await deletion).status).toBe(204);
  const removal = removeAll(ada.teamId);
  const statuses = (await Promise.all([...posts, ...later])).map(({ status }) => status);
  await removal;
  expect(statuses.filter((status) => ![201, 404, 409].includes(status))).toEqual([]);
  // What the scheduler does to open tasks of a service that was deleted.
  for (const { value } of [...api.store.view.tasks.values()].filter(({ value }) => value.teamId === ada.teamId)) {
    await claimTask(api, value.id);
    await succeedTask(api, value.id, "1");
  }
  await removeAll(ada.teamId);
  const left = (await keysNaming(ada.teamId)).filter((key) => !key.includes("/access-keys/"));
  expect(left).toEqual([`/elastic/v1/records/teams/${ada.teamId}`]);
});
