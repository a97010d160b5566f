import { afterAll, beforeAll, expect, test } from "vitest";
import { joinTokenText } from "../../auth/id-secret-text.ts";
import { aNode } from "../../domain/testing/records.ts";
import { create } from "../../store/change.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;
beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function make(body: object, key = api.own.key): Promise<CallResponse> {
  return call(`${api.url}/v1/join-tokens`, { key, body: JSON.stringify(body) });
}

test("an operator makes a token, is shown the line to paste once, and sees the token without its text", async () => {
  const { status, json } = await make({ node_name: "gpu-7", expires_in_seconds: 60 });
  expect(status).toBe(201);
  const { token, ca_sha256, command, install_command, ...record } = json;
  expect(command).toBe(
    `echo ${token} | elastic-agent enroll --coordinator control.example:8444 --token-file - --ca-sha256 ${ca_sha256} --node gpu-7`,
  );
  // No release is there to install.
  expect(install_command).toBeNull();
  expect(record).toMatchObject({ node_name: "gpu-7", used: null, used_by: null });
  expect(Date.parse(`${json.expires}Z`) - Date.parse(`${json.created}Z`)).toBe(60_000);
  const listed = await call(`${api.url}/v1/join-tokens`, { key: api.own.key });
  expect(listed.json.items).toEqual([record]);
  expect(listed.text).not.toContain(joinTokenText.parse(token)?.secret);
  const path = `${api.url}/v1/join-tokens/${record.join_token_id}`;
  expect((await call(path, { key: api.own.key, method: "DELETE" })).status).toBe(204);
  expect((await call(path, { key: api.own.key, method: "DELETE" })).status).toBe(404);
  expect((await call(`${api.url}/v1/join-tokens`, { key: api.own.key })).json.items).toEqual([]);
});

test("a name that goes into no certificate, and a life over a day, are refused", async () => {
  for (const [body, pointer] of [
    [{ node_name: "a/b" }, "#/node_name"],
    [{ node_name: "" }, "#/node_name"],
    [{ expires_in_seconds: 86_401 }, "#/expires_in_seconds"],
    [{ ttl: 5 }, "#/ttl"],
  ] as const) {
    const { status, json } = await make(body);
    expect([body, status, json.errors?.[0]?.pointer]).toEqual([body, 422, pointer]);
  }
});

test("a user without the scope makes no token and evicts nobody", async () => {
  const { userId, teamId } = api.own;
  const key = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["services", "keys"] });
  expect((await make({}, key)).json.code).toBe("scope_missing");
  const evicting = await call(`${api.url}/v1/nodes/gpu-7/evict`, { key, method: "POST" });
  expect(evicting.json.code).toBe("scope_missing");
});

test("an evicted node stays evicted, and one that is not there is not found", async () => {
  await api.store.commit([create("nodes", aNode("gpu-9"))]);
  const evict = (id: string) => call(`${api.url}/v1/nodes/${id}/evict`, { key: api.own.key, method: "POST" });
  expect((await evict("gpu-9")).status).toBe(204);
  const { value } = (await api.store.get("nodes", "gpu-9")) ?? {};
  expect(value).toMatchObject({ state: "gone", evictedAt: expect.any(Number) });
  expect((await evict("gpu-9")).status).toBe(204);
  expect((await api.store.get("nodes", "gpu-9"))?.value).toEqual(value);
  for (const id of ["gpu-10", "%00", "a".repeat(100)]) expect((await evict(id)).status).toBe(404);
});
