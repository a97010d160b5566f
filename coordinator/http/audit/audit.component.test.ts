/** Every change is in the audit log: generated over every route of the OpenAPI document that changes something. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moveAuditEntries } from "../../archive/audit-mover.ts";
import { newKeyText } from "../../auth/key-text.ts";
import { sessionCookie } from "../../auth/login-cookies.ts";
import { makeSession } from "../../auth/make-session.ts";
import type { AuditRecord } from "../../public/audit-record.ts";
import { create } from "../../store/change.ts";
import { type Described, documentOf, operationsOf } from "../testing/api-document.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { goodRequest } from "../testing/good-requests.ts";
import {
  addReadyService,
  addTenant,
  type HttpFixture,
  startHttpFixture,
  type Tenant,
} from "../testing/http-fixture.ts";
import { fill, tenantThings } from "../testing/tenant-things.ts";
import { NOT_AUDITED } from "./request-audit.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

async function auditOf(tenant: Tenant, query = ""): Promise<readonly AuditRecord[]> {
  const { json } = await call(`${api.url}/v1/teams/${tenant.teamId}/audit?size=100${query}`, { key: tenant.key });
  return json.items as unknown as readonly AuditRecord[];
}

/** Of no team. */
async function operatorAudit(tenant: Tenant): Promise<readonly AuditRecord[]> {
  const { json } = await call(`${api.url}/v1/audit?size=100`, { key: tenant.key });
  return json.items as unknown as readonly AuditRecord[];
}

/** What changes nothing in the store, or nothing where it is sent here. */
const WITHOUT_CHANGE: ReadonlySet<string> = new Set([
  ...NOT_AUDITED,
  // Bytes by their digest: the volume that names them is the change.
  "putVolumeFile",
  // A right for half a minute; opening a terminal or a connection is what uses it.
  "createTerminalTicket",
  "createSshTicket",
  // The task and the build of the fixture have ended, and its authorised key is there.
  "cancelTask",
  "cancelBuild",
  "cancelTasks",
  "addAuthorizedKey",
  // The key that is created once the code is confirmed and redeemed is the change.
  "createDeviceCode",
  "decideDeviceLogin",
  // The provider sends the browser back with the account.
  "linkAccount",
  // The same, of the source host; and an event that changes nothing.
  "startSourceLink",
  "receiveSourceEvent",
]);

/** Nobody is left to read the log: the team is gone, or the caller. */
const WITHOUT_READER: ReadonlySet<string> = new Set(["deleteTeam", "deleteMe"]);

/** In the log of the team of the code, and of the team that is new. */
const OF_ANOTHER_TEAM: ReadonlySet<string> = new Set(["acceptInvitation", "createTeam"]);

test("has an entry for each request that changes something, of the operation and its caller, without secrets", async () => {
  const owner = await addTenant(api.store, "ada");
  const things = await tenantThings(api, owner);
  const routes = operationsOf(await documentOf(api.url)).filter(
    ({ method, operation }) => method !== "GET" && !WITHOUT_READER.has(operation.operationId),
  );
  // What removes comes last, what belongs to a pool or a service before it, and the sessions at the very end.
  const last = ["/v1/pools/{id}", "/v1/services/{id}", "/v1/sessions"];
  const rank = ({ method, path }: Described) => (method !== "DELETE" ? 0 : 2 + last.indexOf(path));
  const secrets: string[] = [owner.key];
  let looked = 0;
  for (const route of [...routes].sort((a, b) => rank(a) - rank(b))) {
    const { operationId } = route.operation;
    const before = new Set([...(await auditOf(owner)), ...(await operatorAudit(owner))].map((one) => one.entry_id));
    const response = await call(api.url + fill(route, things), { key: owner.key, ...goodRequest(route, things) });
    expect([operationId, response.status < 300, response.text]).toEqual([operationId, true, response.text]);
    secrets.push(...secretsOf(response));
    const added = [...(await auditOf(owner)), ...(await operatorAudit(owner))].filter(
      (one) => !before.has(one.entry_id),
    );
    const isExpected = !WITHOUT_CHANGE.has(operationId) && !OF_ANOTHER_TEAM.has(operationId);
    const actions = new Set(added.map(({ action }) => action));
    expect([operationId, [...actions]]).toEqual([operationId, isExpected ? [operationId] : []]);
    for (const entry of added) {
      looked += 1;
      expect([operationId, entry.user_id, entry.user_name]).toEqual([operationId, owner.userId, "user ada"]);
      expect([operationId, entry.address]).toEqual([operationId, "127.0.0.1"]);
      expect([operationId, entry.request_id]).toEqual([operationId, response.headers.get("x-request-id")]);
      const kind = ["createSession", "redeemDeviceCode"].includes(operationId) ? "login" : "key";
      expect([operationId, entry.credential.kind]).toEqual([operationId, kind]);
    }
  }
  expect(looked).toBeGreaterThan(25);
  const stored = [...api.store.view.auditEntries.values()].map(({ value }) => JSON.stringify(value)).join("\n");
  expect(secrets.length).toBeGreaterThan(5);
  for (const secret of secrets) expect(stored).not.toContain(secret.split("_").at(-1));
});

function secretsOf({ json }: CallResponse): readonly string[] {
  const { key, code, token, secret, password } = (json ?? {}) as unknown as Readonly<Record<string, unknown>>;
  return [key, code, token, secret, password].filter((text) => typeof text === "string");
}

describe("an entry", () => {
  test("says what was before and after, and that a session did it", async () => {
    const owner = await addTenant(api.store, "grace");
    const of = { userId: owner.userId, defaultTeamId: owner.teamId, provider: "login-link", userAgent: "browser" };
    const { record, cookie } = makeSession(of, Date.now());
    await api.store.commit([create("sessions", record)]);
    const headers = { cookie: sessionCookie.setCookie(cookie, api.url).split(";")[0] ?? "", origin: api.url };
    const made = await call(`${api.url}/v1/services`, { headers, body: '{"service_name":"mine"}' });
    const path = `${api.url}/v1/services/${made.json.service_id}`;
    await call(path, { headers, method: "PATCH", body: '{"result_retention_seconds":7200}' });
    await call(path, { headers, method: "DELETE" });
    const object = { kind: "service", id: made.json.service_id, name: "mine" };
    const credential = { kind: "session", id: record.id };
    expect(await auditOf(owner)).toMatchObject([
      { action: "deleteService", object, credential, before: { state: "unready" }, after: { state: "deleted" } },
      {
        action: "changeService",
        before: { result_retention_seconds: null },
        after: { result_retention_seconds: 7200 },
      },
      { action: "createService", object, credential, before: null, after: { service_name: "mine" } },
    ]);
  });

  test("says which origins a team's pages had, and have", async () => {
    const { teamId, key, ...owner } = await addTenant(api.store, "hopper");
    for (const origins of [["https://a.example"], ["https://a.example", "https://b.example"]]) {
      await call(`${api.url}/v1/teams/${teamId}`, { key, method: "PATCH", body: JSON.stringify({ origins }) });
    }
    expect(await auditOf({ teamId, key, ...owner })).toMatchObject([
      { before: { origins: ["https://a.example"] }, after: { origins: ["https://a.example", "https://b.example"] } },
      { action: "changeTeam", before: { origins: [] }, after: { origins: ["https://a.example"] } },
    ]);
  });

  test("is absent for a request that is refused, that changes nothing, and that the store did not take", async () => {
    const owner = await addTenant(api.store, "joan");
    const to = (path: string, body: object, method = "POST") =>
      call(`${api.url}/v1${path}`, { key: owner.key, method, body: JSON.stringify(body) });
    expect((await to("/services", { service_name: "!" })).status).toBe(422);
    expect((await to(`/services/${newKeyText().id}`, { result_retention_seconds: 7200 }, "PATCH")).status).toBe(404);
    const made = await to("/services", { service_name: "kept" });
    expect((await to(`/services/${made.json.service_id}`, {}, "PATCH")).status).toBe(200);
    api.kv.faults.away = true;
    expect((await to("/services", { service_name: "lost" })).status).toBe(503);
    api.kv.faults.away = false;
    expect((await auditOf(owner)).map(({ action, after }) => [action, after?.service_name])).toEqual([
      ["createService", "kept"],
    ]);
  });

  test("is made for each task that is cancelled, and for none that is created", async () => {
    const owner = await addTenant(api.store, "lin");
    const { id } = await addReadyService(api.store, owner);
    const made = await call(`${api.url}/v1/services/${id}`, { key: owner.key, body: '{"input":1}' });
    await call(`${api.url}/v1/tasks/cancel`, { key: owner.key, body: JSON.stringify({ service_id: id }) });
    expect(await auditOf(owner)).toMatchObject([
      {
        action: "cancelTasks",
        object: { kind: "task", id: made.json.task_id },
        before: { phase: "queued" },
        after: { phase: "cancelled" },
      },
    ]);
  });

  test("names a member by their user", async () => {
    const owner = await addTenant(api.store, "mary");
    const member = await addTenant(api.store, "joan");
    const { userId, teamId } = { ...member, teamId: owner.teamId };
    await api.store.commit([create("memberships", { userId, teamId, role: "member", createdAt: 0 })]);
    const path = `${api.url}/v1/teams/${teamId}/members/${userId}`;
    await call(path, { key: owner.key, method: "PATCH", body: '{"role":"viewer"}' });
    expect(await auditOf(owner)).toMatchObject([
      {
        action: "changeMember",
        object: { kind: "member", id: userId, name: "user joan" },
        before: { role: "member" },
        after: { role: "viewer" },
      },
    ]);
  });
});

describe("the list", () => {
  let owner: Tenant;
  let ids: readonly string[];

  beforeAll(async () => {
    owner = await addTenant(api.store, "lists");
    const made: string[] = [];
    for (const name of ["a", "b", "c", "d"]) {
      const body = JSON.stringify({ service_name: name });
      made.push((await call(`${api.url}/v1/services`, { key: owner.key, body })).json.service_id);
    }
    ids = made;
    await call(`${api.url}/v1/services/${ids[1]}`, { key: owner.key, method: "DELETE" });
  });

  test("is filtered by action, user, object and time", async () => {
    const count = async (query: string) => (await auditOf(owner, query)).length;
    expect(await count("&action=deleteService")).toBe(1);
    expect(await count(`&object_id=${ids[1]}`)).toBe(2);
    expect(await count(`&object_id=${ids[1]}&action=createService`)).toBe(1);
    expect([await count(`&user_id=${owner.userId}`), await count(`&user_id=${api.own.userId}`)]).toEqual([5, 0]);
    expect([await count("&to=2020-01-01T00:00:00"), await count("&from=2020-01-01T00:00:00")]).toEqual([0, 5]);
    const wrong = await call(`${api.url}/v1/teams/${owner.teamId}/audit?cursor=x`, { key: owner.key });
    expect(wrong.json.errors?.[0]?.pointer).toBe("cursor");
  });

  test("is read page by page, before and after its entries have moved to the archive", async () => {
    const pages = async () => {
      const read: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const query = `?size=2${cursor === "" ? "" : `&cursor=${cursor}`}`;
        const { json }: CallResponse = await call(`${api.url}/v1/teams/${owner.teamId}/audit${query}`, {
          key: owner.key,
        });
        const items = json.items as unknown as readonly AuditRecord[];
        read.push(...items.map(({ object, action }) => `${action} ${object.name}`));
        cursor = json.next_cursor;
      }
      return read;
    };
    const all = ["deleteService b", "createService d", "createService c", "createService b", "createService a"];
    expect(await pages()).toEqual(all);
    await moveAuditEntries({ store: api.store, archive: api.archive }, () => true);
    expect(api.store.view.auditEntries.countOf(owner.teamId)).toBe(0);
    expect(await pages()).toEqual(all);
  });

  test("has nothing of another team", async () => {
    expect((await auditOf(await addTenant(api.store, "apart"))).length).toBe(0);
    const refused = await call(`${api.url}/v1/teams/${owner.teamId}/audit`, { key: api.other.key });
    expect(refused.status).toBe(404);
  });
});
