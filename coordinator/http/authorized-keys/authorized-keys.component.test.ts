import { afterAll, beforeAll, expect, test } from "vitest";
import { newKeyPair } from "../../shells/new-key-pair.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { AUTHORIZED_KEYS_MAX } from "./add-authorized-key.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function send(method: string, path = "", body?: object, key = api.own.key): Promise<CallResponse> {
  const options = body === undefined ? {} : { body: JSON.stringify(body) };
  return call(`${api.url}/v1/me/authorized-keys${path}`, { key, method, ...options });
}

function publicKey(comment: string): string {
  return `${newKeyPair().public} ${comment}`;
}

test("a key is added under its comment, listed, and removed; a repetition changes nothing", async () => {
  const key = publicKey("laptop");
  const added = await send("POST", "", { key });
  expect([added.status, added.json]).toEqual([
    201,
    {
      key_id: expect.any(String),
      name: "laptop",
      type: "ssh-ed25519",
      fingerprint: expect.stringMatching(/^SHA256:/),
      created: expect.any(String),
    },
  ]);
  expect((await send("POST", "", { key, name: "again" })).json).toEqual(added.json);
  expect((await send("GET")).json.items).toEqual([added.json]);
  expect((await send("GET", "", undefined, api.other.key)).json.items).toEqual([]);
  expect((await send("DELETE", `/${added.json.key_id}`, undefined, api.other.key)).status).toBe(404);
  expect((await send("DELETE", `/${added.json.key_id}`)).status).toBe(204);
  expect((await send("DELETE", `/${added.json.key_id}`)).status).toBe(404);
  expect((await send("GET")).json.items).toEqual([]);
});

test("what is no key is refused with the reason, and so is one too many", async () => {
  const refused = await send("POST", "", { key: "-----BEGIN OPENSSH PRIVATE KEY-----" });
  expect([refused.status, refused.json.errors[0]?.detail]).toEqual([422, expect.stringContaining("private key")]);
  const add = (n: number) => send("POST", "", { key: publicKey("x".repeat(100)), name: "n".repeat(100 - n) });
  for (let n = 0; n < AUTHORIZED_KEYS_MAX; n++) expect((await add(n)).status).toBe(201);
  expect(await add(0)).toMatchObject({ status: 429, json: { code: "quota_exceeded" } });
});

test("only keys with the scope shells may", async () => {
  const of = { userId: api.own.userId, defaultTeamId: api.own.teamId };
  const key = await addKey(api.store, { ...of, scopes: ["tasks:read"], teamId: null });
  expect((await send("GET", "", undefined, key)).json.code).toBe("scope_missing");
});
