/** Rate limits as clients meet them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startHttp } from "../server.ts";
import { call } from "../testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;
const RATES = { keyReads: 1, keyWrites: 1, teamReads: 2, teamWrites: 2, unauthenticated: 3 };
/** The same API with small rates: ten reads of a key, twenty of a team and thirty of an address at once. */
let slow: { readonly url: string; stop(): Promise<void> };

beforeAll(async () => {
  api = await startHttpFixture();
  slow = await startHttp({ ...api.options, config: { ...api.options.config, rates: RATES } });
});

async function startSlow(more: { readonly trustedProxies?: readonly string[] }) {
  const server = await startHttp({ ...api.options, config: { ...api.options.config, rates: RATES, ...more } });
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop() };
}

afterAll(async () => {
  await slow.stop();
  await api.close();
});

function newKey(): Promise<string> {
  return addKey(api.store, { userId: api.own.userId, defaultTeamId: api.own.teamId, scopes: ["tasks:read"] });
}

function read(key?: string) {
  return call(`${slow.url}/v1/me`, key === undefined ? {} : { key });
}

test("a key that reads too much is refused with when to retry; other keys, writes and probes are not", async () => {
  const key = await newKey();
  const responses = await Promise.all(Array.from({ length: 40 }, () => read(key)));
  const passed = responses.filter(({ status }) => status === 200);
  // Ten, and what was refilled during the requests.
  expect(passed.length).toBeGreaterThanOrEqual(10);
  expect(passed.length).toBeLessThan(15);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.json).toMatchObject({ code: "rate_limited", status: 429, detail: expect.stringContaining("reads") });
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(refused?.headers.get("ratelimit-policy")).toBe('"key-reads";q=10;w=10, "team-reads";q=20;w=10');
  expect(refused?.headers.get("ratelimit")).toMatch(/^"key-reads";r=0;t=\d+, "team-reads";r=\d+;t=\d+$/);
  expect((await read(await newKey())).status).toBe(200);
  const write = await call(`${slow.url}/v1/services`, { key, body: "{}" });
  expect([write.status, write.json.code]).toEqual([403, "scope_missing"]);
  expect((await call(`${slow.url}/healthz`)).status).toBe(200);
});

test("a team has its own rate, however many keys it uses", async () => {
  const keys = await Promise.all(Array.from({ length: 10 }, newKey));
  const responses = await Promise.all(keys.flatMap((key) => [read(key), read(key), read(key), read(key)]));
  const passed = responses.filter(({ status }) => status === 200).length;
  expect(passed).toBeLessThan(25);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.json.detail).toContain("The team sends too many reads");
});

test("who shows no valid key is refused by address, and valid keys of the same address are not", async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => read(`${api.own.key}x`)));
  const codes = responses.map(({ json }) => json.code);
  expect(codes.filter((code) => code === "key_invalid").length).toBeGreaterThanOrEqual(30);
  expect(codes).toContain("rate_limited");
  expect((await read(api.other.key)).status).toBe(200);
});

test("false rights to pull count as false keys do", async () => {
  const path = "/v1/registry/token?scope=repository:x:pull";
  const authorization = `Basic ${Buffer.from(`node:epg_${"0".repeat(32)}_9999999999_x`).toString("base64")}`;
  await using own = await startSlow({});
  const send = () => call(own.url + path, { headers: { authorization } });
  const responses = await Promise.all(Array.from({ length: 50 }, send));
  expect(responses.map(({ json }) => json.code)).toContain("rate_limited");
});

test("behind a trusted proxy unauthenticated clients go by the last address that it does not vouch for; elsewhere nobody's word counts", async () => {
  const refused = async (url: string, forwarded: (n: number) => string) => {
    const send = (n: number) => call(`${url}/v1/me`, { headers: { "x-forwarded-for": forwarded(n) } });
    const responses = await Promise.all(Array.from({ length: 60 }, (_, n) => send(n)));
    return responses.some(({ status }) => status === 429);
  };
  const other = (n: number) => `198.51.100.${n}`;
  await using behind = await startSlow({ trustedProxies: ["127.0.0.0/8"] });
  expect(await refused(behind.url, other)).toBe(false);
  expect(await refused(behind.url, (n) => `${other(n)}, 203.0.113.7`)).toBe(true);
  await using bare = await startSlow({});
  expect(await refused(bare.url, other)).toBe(true);
});
