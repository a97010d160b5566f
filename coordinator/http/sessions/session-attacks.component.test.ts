/** What an attacker tries with the session of a victim, and that each attempt comes to nothing. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VIEW_AGE_MAX_MS } from "../../auth/authenticate.ts";
import { sessionText } from "../../auth/id-secret-text.ts";
import { SESSION_AGE_MS_MAX, SESSION_IDLE_MS } from "../../domain/session.ts";
import { browse, loginToken, postSession, sessionCookie } from "../testing/browser.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { startSecondCoordinator } from "../testing/second-coordinator.ts";

let api: HttpFixture;
let tried = 0;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

function attempt(response: Promise<CallResponse>): Promise<CallResponse> {
  tried += 1;
  return response;
}

const start = (startedAt = Date.now()): Promise<string> => sessionCookie(api, api.own, startedAt);

const WRITES = [
  ["POST", "/services", '{"service_name":"planted"}'],
  ["POST", "/keys", '{"name":"planted","scopes":["keys"]}'],
  ["POST", "/me/accounts", '{"provider":"nobody"}'],
  ["POST", "/device/BCDF-GHJK", '{"approve":true}'],
  ["DELETE", "/sessions", undefined],
] as const;

/** What a browser sends for a page that is not the console's; none can be chosen by that page. */
function foreignHeads(): readonly Readonly<Record<string, string>>[] {
  const { port } = new URL(api.url);
  return [
    {},
    { origin: "null" },
    { origin: "https://evil.example" },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { origin: `http://localhost:${port}` },
    { origin: `https://127.0.0.1:${port}` },
    { origin: `http://127.0.0.1:${port}.evil.example` },
    { origin: api.url, "sec-fetch-site": "cross-site" },
    { origin: api.url, "sec-fetch-site": "same-site" },
    { origin: api.url, "sec-fetch-site": "none" },
    // A name that was rebound to this address.
    { origin: `http://rebound.example:${port}`, "sec-fetch-site": "same-origin" },
    // A form, which needs no CORS preflight.
    { origin: "https://evil.example", "content-type": "text/plain" },
  ];
}

test.each(WRITES)("another site's page cannot send %s %s", async (method, path, body) => {
  const cookie = await start();
  for (const headers of foreignHeads()) {
    const given = { cookie, method, headers, ...(body !== undefined && { body }) };
    const refused = await attempt(browse(api, path, given));
    expect([headers, refused.status, refused.json.code]).toEqual([headers, 403, "origin_refused"]);
  }
  expect((await browse(api, "/me", { cookie })).status).toBe(200);
});

test("another site's page cannot log a browser in with its own link", async () => {
  for (const headers of foreignHeads().filter((head) => !("content-type" in head))) {
    const refused = await attempt(postSession(api, await loginToken(api, api.other), headers));
    expect([headers, refused.json.code]).toEqual([headers, "origin_refused"]);
    expect(refused.headers.get("set-cookie")).toBeNull();
  }
});

describe("a cookie opens nothing", () => {
  const logOut = async (cookie: string, path = "/sessions/current"): Promise<string> => {
    expect((await browse(api, path, { cookie, method: "DELETE" })).status).toBe(204);
    return cookie;
  };
  const last = /.$/;
  const COOKIES: readonly (readonly [string, () => Promise<string>])[] = [
    ["that was stolen before a log-out", async () => logOut(await start())],
    ["that was stolen before a log-out everywhere", async () => logOut(await start(), "/sessions")],
    ["whose session is too old", () => start(Date.now() - SESSION_AGE_MS_MAX)],
    ["whose session was idle for too long", () => start(Date.now() - SESSION_IDLE_MS)],
    ["that is cut", async () => (await start()).slice(0, -1)],
    ["that is altered", async () => (await start()).replace(last, (letter) => (letter === "0" ? "1" : "0"))],
    ["of another service", async () => cookieOfAnotherService()],
    ["of a session's id and another one's secret", async () => mixed(await start(), await start())],
    ["that holds an access key", async () => `elastic_session=${api.own.key}`],
    ["that holds a login link's token", async () => `elastic_session=${await loginToken(api)}`],
    ["that is empty", async () => "elastic_session="],
  ];

  test.each(COOKIES)("%s", async (_, cookieWith) => {
    const cookie = await cookieWith();
    for (const path of ["/me", "/services", "/sessions"]) {
      const refused = await attempt(browse(api, path, { cookie }));
      expect([path, refused.status, refused.json.code]).toEqual([path, 401, "session_invalid"]);
    }
    const written = await attempt(browse(api, "/services", { cookie, body: '{"service_name":"planted"}' }));
    expect(written.json.code).toBe("session_invalid");
  });

  test("of the name that is for TLS alone", async () => {
    const refused = await attempt(browse(api, "/me", { cookie: `__Host-${await start()}` }));
    expect(refused.json.code).toBe("key_missing");
  });
});

test("a log-out ends the streams that the session has open, at every coordinator within a second", async () => {
  await using second = await startSecondCoordinator(api);
  const { id } = await addReadyService(api.store, api.own);
  const { json } = await call(`${api.url}/v1/services/${id}`, { key: api.own.key, body: '{"input":1}' });
  const cookie = await start();
  await expect.poll(async () => (await call(`${second.url}/v1/me`, { headers: { cookie } })).status).toBe(200);
  const streams = await Promise.all(
    [api.url, second.url].map((url) => fetch(`${url}/v1/tasks/${json.task_id}/events`, { headers: { cookie } })),
  );
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  const ended = Promise.all(streams.map((stream) => attempt(stream.text() as never)));
  await browse(api, "/sessions/current", { cookie, method: "DELETE" });
  const loggedOutAtMs = performance.now();
  await ended;
  // A stream looks at its session once a second, and a coordinator knows of the log-out within one.
  expect(performance.now() - loggedOutAtMs).toBeLessThan(2 * VIEW_AGE_MAX_MS);
});

test("has tried each attack", () => {
  expect(tried).toBe(5 * 12 + 11 + 11 * 4 + 1 + 2);
});

async function cookieOfAnotherService(): Promise<string> {
  const other = await startHttpFixture();
  const cookie = await sessionCookie(other, other.own, Date.now());
  await other.close();
  return cookie;
}

/** Well formed, so that only the secret is wrong. */
function mixed(one: string, other: string): string {
  const [id, secret] = [one, other].map((cookie) => sessionText.parse(cookie.replace("elastic_session=", "")));
  if (!id || !secret) throw new Error("no sessions");
  return `elastic_session=${sessionText.format({ id: id.id, secret: secret.secret })}`;
}
