import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deviceCodeText } from "../../auth/id-secret-text.ts";
import { DEVICE_CODE_MS, DEVICE_CODES_PER_NETWORK } from "../../domain/device-code.ts";
import { startHttp } from "../server.ts";
import { browse, sessionCookie } from "../testing/browser.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture, type Tenant } from "../testing/http-fixture.ts";
import { WRONG_CODES_MAX } from "./code-guesses.ts";

let api: HttpFixture;
/** Of the service; a test moves it. */
let aheadMs = 0;
const clock: Clock = {
  ...systemClock,
  now: () => systemClock.now() + aheadMs,
  monotonicMs: () => systemClock.monotonicMs() + aheadMs,
};

beforeAll(async () => {
  api = await startHttpFixture(undefined, { clock });
});
afterAll(() => api.close());

interface Begun {
  readonly device_code: string;
  readonly user_code: string;
}

async function begin(body: object = { host_name: "laptop" }): Promise<Begun> {
  const begun = await call(`${api.url}/v1/device/code`, { body: JSON.stringify(body) });
  expect(begun.status).toBe(200);
  return JSON.parse(begun.text);
}

function poll({ device_code }: Begun): Promise<CallResponse> {
  aheadMs += 5_000;
  return call(`${api.url}/v1/device/token`, { body: JSON.stringify({ device_code }) });
}

async function decide({ user_code }: Begun, approve: boolean, tenant: Tenant = api.own): Promise<CallResponse> {
  const cookie = await sessionCookie(api, tenant, clock.now());
  return browse(api, `/device/${user_code}`, { cookie, body: JSON.stringify({ approve }) });
}

test("gives a program the key that its user confirms, once", async () => {
  const begun = await begin();
  expect(begun).toMatchObject({
    user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verification_uri: `${api.url}/device`,
    expires_in: 600,
    interval: 5,
  });
  expect((await poll(begun)).json.code).toBe("authorization_pending");
  const cookie = await sessionCookie(api, api.own, clock.now());
  const shown = await browse(api, `/device/${begun.user_code.toLowerCase().replace("-", "")}`, { cookie });
  expect(JSON.parse(shown.text)).toMatchObject({
    user_code: begun.user_code,
    host_name: "laptop",
    address: "127.0.0.1",
    scopes: ["tasks:read", "tasks:write", "services", "keys", "shells"],
  });
  expect((await decide(begun, true)).status).toBe(204);
  const given = await poll(begun);
  expect(given.json).toMatchObject({ name: "login on laptop", team_id: null, expires: expect.any(String) });
  expect((await call(`${api.url}/v1/me`, { key: given.json.key })).json.user_id).toBe(api.own.userId);
  expect((await poll(begun)).json.code).toBe("expired_token");
  expect((await decide(begun, true)).status).toBe(404);
});

test("gives the key to one of two polls at the same time", async () => {
  const begun = await begin();
  await decide(begun, true);
  const both = await Promise.all([poll(begun), poll(begun)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test("reports that the user declined", async () => {
  const begun = await begin();
  expect((await decide(begun, false)).status).toBe(204);
  expect((await poll(begun)).json.code).toBe("access_denied");
  expect((await poll(begun)).json.code).toBe("expired_token");
});

test("slows down a program that polls too often", async () => {
  const begun = await begin();
  const at = { body: JSON.stringify({ device_code: begun.device_code }) };
  expect((await call(`${api.url}/v1/device/token`, at)).json.code).toBe("authorization_pending");
  expect((await call(`${api.url}/v1/device/token`, at)).json.code).toBe("slow_down");
});

test("ends after ten minutes, confirmed or not", async () => {
  const [pending, approved] = [await begin(), await begin()];
  await decide(approved, true);
  aheadMs += DEVICE_CODE_MS;
  expect((await poll(pending)).json.code).toBe("expired_token");
  expect((await poll(approved)).json.code).toBe("expired_token");
  expect((await decide(pending, true)).status).toBe(404);
});

describe("a device code that an attacker began", () => {
  test("never gets an operator's scopes, and none that the confirming key lacks", async () => {
    for (const scope of ["nodes", "admin"]) {
      const body = JSON.stringify({ host_name: "laptop", scopes: [scope] });
      expect((await call(`${api.url}/v1/device/code`, { body })).status).toBe(422);
    }
    const begun = await begin();
    const key = await addKey(api.store, { userId: api.own.userId, defaultTeamId: api.own.teamId, scopes: ["keys"] });
    const refused = await call(`${api.url}/v1/device/${begun.user_code}`, { key, body: '{"approve":true}' });
    expect(refused.json.code).toBe("scope_missing");
    expect((await poll(begun)).json.code).toBe("authorization_pending");
  });

  test("gets a key of the user who confirms, and of nobody else", async () => {
    const begun = await begin();
    await decide(begun, true, api.other);
    expect((await decide(begun, true, api.own)).status).toBe(404);
    const { key } = (await poll(begun)).json;
    expect((await call(`${api.url}/v1/me`, { key })).json.user_id).toBe(api.other.userId);
  });

  test("is not confirmed by a page of another site, or without a session", async () => {
    const { user_code: code } = await begin();
    const cookie = await sessionCookie(api, api.own, clock.now());
    const path = `/device/${code}`;
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, {}]) {
      const refused = await browse(api, path, { cookie, body: '{"approve":true}', headers });
      expect(refused.json.code).toBe("origin_refused");
    }
    expect((await call(`${api.url}/v1${path}`, { body: '{"approve":true}' })).status).toBe(401);
  });

  test("is not found by guessing: ten wrong codes, and the user has to wait", async () => {
    const begun = await begin();
    const cookie = await sessionCookie(api, api.other, clock.now());
    const typed = (code: string) => browse(api, `/device/${code}`, { cookie });
    for (let tries = 0; tries < WRONG_CODES_MAX; tries++) expect((await typed("BCDF-GHJK")).status).toBe(404);
    expect(await typed(begun.user_code)).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    aheadMs += DEVICE_CODE_MS;
    expect((await typed((await begin()).user_code)).status).toBe(200);
  });

  test("is not redeemed with its user code, an altered code or another one's secret", async () => {
    const [one, two] = [await begin(), await begin()];
    await decide(one, true);
    const [id, secret] = [one, two].map(({ device_code: code }) => deviceCodeText.parse(code));
    const mixed = deviceCodeText.format({ id: id?.id ?? "", secret: secret?.secret ?? "" });
    for (const code of [one.user_code, one.device_code.slice(0, -1), `${one.device_code}0`, mixed, ""]) {
      expect((await poll({ ...one, device_code: code })).json.code).toBe("expired_token");
    }
    expect((await poll(one)).status).toBe(200);
  });
});

test("lets a network begin a bounded number of logins", async () => {
  aheadMs += DEVICE_CODE_MS;
  for (let count = 0; count < DEVICE_CODES_PER_NETWORK; count++) await begin();
  const refused = await call(`${api.url}/v1/device/code`, { body: '{"host_name":"laptop"}' });
  expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
  aheadMs += DEVICE_CODE_MS;
  await begin();
});

test("limits the logins that a network begins in parallel", async () => {
  aheadMs += DEVICE_CODE_MS;
  const begun = await Promise.all(
    Array.from({ length: 5 * DEVICE_CODES_PER_NETWORK }, () =>
      call(`${api.url}/v1/device/code`, { body: '{"host_name":"laptop"}' }),
    ),
  );
  expect(begun.filter(({ status }) => status === 200)).toHaveLength(DEVICE_CODES_PER_NETWORK);
  aheadMs += DEVICE_CODE_MS;
});

test("denies a login whose confirming key was revoked", async () => {
  const begun = await begin();
  const key = await addKey(api.store, { userId: api.own.userId, defaultTeamId: api.own.teamId });
  const approval = { key, body: JSON.stringify({ approve: true }) };
  expect((await call(`${api.url}/v1/device/${begun.user_code}`, approval)).status).toBe(204);
  const path = `${api.url}/v1/keys/${key.split("_")[1]}`;
  expect((await call(path, { key: api.own.key, method: "DELETE" })).status).toBe(204);
  expect((await poll(begun)).json.code).toBe("access_denied");
});

test("bounds the requests of an address that has no key", async () => {
  const rates = { ...api.options.config.rates, unauthenticated: 0.1 };
  const server = await startHttp({ ...api.options, config: { ...api.options.config, rates } });
  const polls = [1, 2].map(() => call(`${server.url}/v1/device/token`, { body: '{"device_code":""}' }));
  const statuses = (await Promise.all(polls)).map(({ status }) => status);
  await server.stop();
  expect(statuses).toContain(429);
});
