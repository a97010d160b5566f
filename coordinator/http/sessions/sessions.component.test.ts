import { systemClock } from "@elastic/std/clock.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VIEW_AGE_MAX_MS } from "../../auth/authenticate.ts";
import { LOGIN_LINK_MS } from "../../domain/login-link.ts";
import { SESSIONS_PER_USER } from "../../domain/session.ts";
import { browse, cookieOf, loginToken, postSession } from "../testing/browser.ts";
import { call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture, type Tenant } from "../testing/http-fixture.ts";
import { startSecondCoordinator } from "../testing/second-coordinator.ts";

let api: HttpFixture;

beforeEach(async () => {
  api = await startHttpFixture();
});
afterEach(() => api.close());

async function logIn(tenant?: Tenant): Promise<string> {
  const started = await postSession(api, await loginToken(api, tenant));
  expect(started.status).toBe(201);
  return cookieOf(started.headers.get("set-cookie"));
}

describe("a login link", () => {
  test("logs a browser in as its user, in the user's teams", async () => {
    const cookie = await logIn();
    const me = JSON.parse((await browse(api, "/me", { cookie })).text);
    expect(me).toMatchObject({
      user_id: api.own.userId,
      key: null,
      session: { provider: "login-link", current: true },
    });
    expect(me.teams).toMatchObject([{ team_id: api.own.teamId, default: true }]);
    const made = await browse(api, "/services", { cookie, body: '{"service_name":"from-the-console"}' });
    expect(made.status).toBe(201);
  });

  test("works once, also when two browsers open it at the same time", async () => {
    const token = await loginToken(api);
    const both = await Promise.all([postSession(api, token), postSession(api, token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect((await postSession(api, token)).json.code).toBe("login_link_invalid");
  });

  test("is refused once it has expired, is altered, or names another link", async () => {
    const past = { ...systemClock, now: () => systemClock.now() - LOGIN_LINK_MS };
    const other = await loginToken(api, api.other);
    // The last: a further link would remove it.
    const expired = await loginToken(api, api.own, past);
    const altered = other.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const token of [expired, altered, "", "ell_"]) {
      const refused = await postSession(api, token);
      expect(refused).toMatchObject({ status: 401, json: { code: "login_link_invalid" } });
      expect(refused.headers.get("set-cookie")).toBeNull();
    }
    expect((await postSession(api, other)).status).toBe(201);
  });

  test("is not accepted from a page of another site, and stays valid", async () => {
    const token = await loginToken(api);
    const { port } = new URL(api.url);
    const foreign = [
      {},
      { origin: "null" },
      { origin: "https://evil.example" },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
      { origin: `http://localhost:${port}` },
      { origin: api.url, "sec-fetch-site": "cross-site" },
      { origin: api.url, "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      expect(await postSession(api, token, headers)).toMatchObject({ status: 403, json: { code: "origin_refused" } });
    }
    expect((await postSession(api, token)).status).toBe(201);
  });
});

describe("a session", () => {
  test("changes nothing for a page of another site, whatever Host says", async () => {
    const cookie = await logIn();
    const { port } = new URL(api.url);
    for (const headers of [{ origin: "https://evil.example" }, { origin: `http://rebound.example:${port}` }, {}]) {
      const refused = await browse(api, "/services", { cookie, body: '{"service_name":"planted"}', headers });
      expect(refused).toMatchObject({ status: 403, json: { code: "origin_refused" } });
      expect((await browse(api, "/sessions", { cookie, method: "DELETE", headers })).status).toBe(403);
    }
    expect((await browse(api, "/services", { cookie })).json.total).toBe(0);
  });

  test("reaches no other team, and nothing of the operators", async () => {
    const service = await addReadyService(api.store, api.other);
    const cookie = await logIn();
    expect((await browse(api, `/services/${service.id}`, { cookie })).json.code).toBe("not_found");
    const inOther = { cookie, headers: { origin: api.url, "x-team": api.other.teamId } };
    expect((await browse(api, "/services", inOther)).status).toBe(404);
    expect((await browse(api, "/nodes", { cookie })).json.code).toBe("scope_missing");
  });

  test("gives way to a key in the same request", async () => {
    const cookie = await logIn();
    const bothHeaders = { cookie, headers: { "x-api-key": api.other.key } };
    expect((await browse(api, "/me", bothHeaders)).json.user_id).toBe(api.other.userId);
    const wrong = { cookie, headers: { "x-api-key": "eps_wrong" } };
    expect((await browse(api, "/me", wrong)).json.code).toBe("key_invalid");
  });

  test("ends at every coordinator within a second of a log-out, with its cookie", async () => {
    await using second = await startSecondCoordinator(api);
    const cookie = await logIn();
    const there = () => call(`${second.url}/v1/me`, { headers: { cookie } });
    await expect.poll(async () => (await there()).status).toBe(200);
    const ended = await browse(api, "/sessions/current", { cookie, method: "DELETE" });
    const endedAtMs = performance.now();
    expect(ended.status).toBe(204);
    expect(ended.headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await browse(api, "/me", { cookie })).json.code).toBe("session_invalid");
    await expect.poll(async () => (await there()).status, { interval: 5 }).toBe(401);
    expect(performance.now() - endedAtMs).toBeLessThan(VIEW_AGE_MAX_MS);
  });

  test("is listed with its browser, and is ended from another one", async () => {
    const [first, other] = [await logIn(), await logIn()];
    const listed = JSON.parse((await browse(api, "/sessions", { cookie: first })).text);
    expect(listed.items.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    const { session_id: id } = listed.items.find(({ current }: { current: boolean }) => !current);
    expect((await browse(api, `/sessions/${id}`, { cookie: first, method: "DELETE" })).status).toBe(204);
    expect((await browse(api, "/me", { cookie: other })).status).toBe(401);
    expect((await browse(api, "/me", { cookie: first })).status).toBe(200);
  });

  test("of another user cannot be ended", async () => {
    const theirs = await logIn(api.other);
    const { session_id: id } = JSON.parse((await browse(api, "/me", { cookie: theirs })).text).session;
    const mine = await logIn();
    expect((await browse(api, `/sessions/${id}`, { cookie: mine, method: "DELETE" })).status).toBe(404);
    expect((await browse(api, "/sessions", { cookie: mine, method: "DELETE" })).status).toBe(204);
    expect((await browse(api, "/me", { cookie: theirs })).status).toBe(200);
    expect((await browse(api, "/me", { cookie: mine })).status).toBe(401);
  });

  test("that was used least recently ends when a user has too many", async () => {
    const cookies: string[] = [];
    for (let count = 0; count <= SESSIONS_PER_USER; count++) cookies.push(await logIn());
    const statuses = await Promise.all(cookies.map(async (cookie) => (await browse(api, "/me", { cookie })).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(SESSIONS_PER_USER);
    expect(statuses[0]).toBe(401);
  });

  test("is unknown when its cookie is cut, altered, or of another service", async () => {
    const cookie = await logIn();
    for (const bad of [cookie.slice(0, -1), cookie.replace(/.$/, "!"), "elastic_session=", "elastic_session=%00"]) {
      expect((await browse(api, "/me", { cookie: bad })).json.code).toBe("session_invalid");
    }
    expect((await browse(api, "/me", { cookie: `__Host-${cookie}` })).json.code).toBe("key_missing");
  });
});
