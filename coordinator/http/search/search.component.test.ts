import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newService } from "../../domain/service.ts";
import type { Found } from "../../public/search-record.ts";
import { create } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import {
  addKey,
  addReadyService,
  addTenant,
  type HttpFixture,
  startHttpFixture,
  type Tenant,
} from "../testing/http-fixture.ts";
import { moveEnded } from "../testing/move-tasks.ts";
import { tenantThings } from "../testing/tenant-things.ts";

let api: HttpFixture;
let ada: Tenant;

beforeAll(async () => {
  api = await startHttpFixture();
  ada = await addTenant(api.store, "ada");
});
afterAll(() => api.close());

function callSearch(query: string, key = ada.key): Promise<CallResponse> {
  return call(`${api.url}/v1/search?q=${encodeURIComponent(query)}`, { key });
}

async function found(query: string, key = ada.key): Promise<readonly Found[]> {
  const { status, json } = await callSearch(query, key);
  expect([query, status]).toEqual([query, 200]);
  return json.items as unknown as readonly Found[];
}

async function addService(name: string, tenant = ada, now = Date.now()): Promise<string> {
  const id = newId(now);
  const { teamId, userId: creatorId } = tenant;
  await api.store.commit([create("services", newService({ id, teamId, name, creatorId, createdAt: now }))]);
  return id;
}

describe("a search", () => {
  test("finds one of each kind by its name, and by the start of its id", async () => {
    const things = await tenantThings(api, ada);
    await moveEnded(api);
    const kinds = async (query: string) => (await found(query)).map(({ kind, id }) => [kind, id]);
    expect(await kinds("keys")).toEqual([["volume", things.volumes]]);
    expect(await kinds("SPARE")).toEqual([["key", things.keys]]);
    for (const [kind, id] of [
      ["service", things.services],
      ["task", things.tasks],
      ["shell", things.shells],
      ["volume", things.volumes],
    ] as const) {
      expect([kind, await kinds(id ?? "")]).toEqual([kind, [[kind, id]]]);
      expect(await kinds(id?.slice(0, 16) ?? "")).toContainEqual([kind, id]);
    }
    expect(await found("no such thing")).toEqual([]);
  });

  test("shows the tasks of the service that matches best", async () => {
    const { id } = await addReadyService(api.store, ada);
    const made = await call(`${api.url}/v1/services/${id}`, { key: ada.key, body: '{"input":1}' });
    const tasks = async () => (await found(id)).filter(({ kind }) => kind === "task");
    expect(await tasks()).toEqual([]);
    const named = (await found("prover")).filter(({ kind }) => kind === "task");
    expect(named).toContainEqual(expect.objectContaining({ id: made.json.task_id, name: "prover", state: "queued" }));
  });

  test("has at most five of a kind: what is named so, then what begins so, then the newest", async () => {
    const names = ["a-search", "searched", "search", "b-search", "c-search", "d-search", "e-search"];
    for (const [n, name] of names.entries()) await addService(name, ada, Date.now() + n);
    expect((await found("search")).map(({ name }) => name)).toEqual([
      "search",
      "searched",
      "e-search",
      "d-search",
      "c-search",
    ]);
  });

  test("finds nothing of another team, and nothing that the key may not see", async () => {
    const grace = await addTenant(api.store, "grace");
    const id = await addService("secret-service", grace);
    expect([await found("secret-service"), await found(id)]).toEqual([[], []]);
    expect((await found("secret-service", grace.key)).length).toBe(1);
    const { userId, teamId } = ada;
    const narrow = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["shells"], name: "search-key" });
    expect(await found("search", narrow)).toEqual([]);
    expect((await found("search-key")).map(({ kind }) => kind)).toEqual(["key"]);
    const elsewhere = await call(`${api.url}/v1/search?q=a`, { key: ada.key, headers: { "x-team": grace.teamId } });
    expect(elsewhere.status).toBe(404);
  });

  test("takes anything for text, and rejects nothing to search for", async () => {
    for (const query of ["%", "_", "'; --", ".*", "\u0000", "x".repeat(100), "f".repeat(32), "\u202e"]) {
      expect([query, await found(query)]).toEqual([query, []]);
    }
    for (const query of ["", "   ", "x".repeat(101)]) expect((await callSearch(query)).status).toBe(422);
    expect((await call(`${api.url}/v1/search`, { key: ada.key })).status).toBe(422);
  });
});
