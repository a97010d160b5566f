import { FAULTS } from "@elastic/test/login/http-host.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startHttp } from "../server.ts";
import { call } from "../testing/call.ts";
import { CookieBrowser, errorOf, locationOf } from "../testing/cookie-browser.ts";
import { AUTHORIZE, type LoginFixture, type ProviderName, startLoginFixture } from "./testing/login-fixture.ts";

let login: LoginFixture;
let browser: CookieBrowser;
/** Of the accounts that the stand-ins give out. */
let nextId = 100;

beforeAll(async () => {
  login = await startLoginFixture();
});
afterAll(() => login[Symbol.asyncDispose]());

beforeEach(() => {
  browser = login.newBrowser();
  useAccount("ada");
});
afterEach(() => {
  login.rules.github = [];
  login.rules.corp = [];
});

/** A further account is logged in at both providers. */
function useAccount(name: string): void {
  nextId += 1;
  login.github.user = { id: nextId, login: name, organisations: [] };
  login.oidc.claims = { sub: String(nextId), preferred_username: name };
}

function letAnybodyIn(provider: ProviderName, usersPerDayMax = 1_000): void {
  login.rules[provider] = [{ kind: "open", usersPerDayMax }];
}

async function meIn(of: CookieBrowser) {
  return JSON.parse((await of.open("/v1/me")).text);
}

async function invite({ key, teamId } = login.api.own): Promise<string> {
  const invited = await call(`${login.api.url}/v1/teams/${teamId}/invitations`, { key, body: "{}" });
  return JSON.parse(invited.text).code;
}

test("lists the providers for the login page", async () => {
  const { text } = await browser.open("/v1/login/providers");
  expect(JSON.parse(text).items).toEqual([
    { name: "github", title: "GitHub" },
    { name: "corp", title: "Corp" },
  ]);
});

describe.each<ProviderName>(["github", "corp"])("a first login at %s", (provider) => {
  test("without an invitation is rejected, and leaves nothing behind", async () => {
    const before = [...login.api.store.view.users.values()].length;
    const refused = await login.logIn(browser, provider);
    expect(errorOf(refused)).toBe("not_invited");
    expect(new URL(locationOf(refused)).searchParams.get("provider")).toBe(provider);
    expect(browser.cookies.size).toBe(0);
    expect([...login.api.store.view.users.values()]).toHaveLength(before);
  });

  test("with an invitation makes a user, who is in the team, and the invitation is used", async () => {
    const code = await invite();
    const done = await login.logIn(browser, provider, `?invitation=${code}&return_to=/keys`);
    expect(locationOf(done)).toBe(`${login.api.url}/keys`);
    const me = await meIn(browser);
    expect(me).toMatchObject({ session: { provider, current: true }, operator: false });
    expect(me.teams).toMatchObject([{ team_id: login.api.own.teamId, default: true }]);
    useAccount("grace");
    expect(errorOf(await login.logIn(login.newBrowser(), provider, `?invitation=${code}`))).toBe("invitation_invalid");
  });

  test("makes a user with a personal team where the settings let anybody in, up to a number a day", async () => {
    letAnybodyIn(provider);
    expect(errorOf(await login.logIn(browser, provider))).toBeNull();
    const me = await meIn(browser);
    expect(me.teams).toMatchObject([{ default: true }]);
    expect((await browser.open("/v1/services", { body: { service_name: "first" } })).status).toBe(201);
    letAnybodyIn(provider, 1);
    useAccount("grace");
    expect(errorOf(await login.logIn(login.newBrowser(), provider))).toBe("sign_ups_full");
  });

  test("makes the user of an account's id, whatever the account is named at the next login", async () => {
    letAnybodyIn(provider);
    await login.logIn(browser, provider);
    const { user_id: first, name } = await meIn(browser);
    login.github.user = { ...login.github.user, login: "lovelace" };
    login.oidc.claims = { ...login.oidc.claims, preferred_username: "lovelace" };
    const again = login.newBrowser();
    await login.logIn(again, provider);
    expect((await meIn(again)).user_id).toBe(first);
    // A login name that was released may be anybody's.
    useAccount("ada");
    const other = login.newBrowser();
    await login.logIn(other, provider);
    const second = await meIn(other);
    expect(second.user_id).not.toBe(first);
    expect(second.name).not.toBe(name);
  });
});

test("makes one user of an account that logs in first in several browsers at the same time", async () => {
  letAnybodyIn("github");
  const browsers = [browser, login.newBrowser(), login.newBrowser()];
  const backs = await Promise.all(browsers.map((one) => login.authorize(one)));
  await Promise.all(browsers.map((one, at) => one.open(backs[at] ?? "")));
  const users = await Promise.all(browsers.map(async (one) => (await meIn(one)).user_id));
  expect(new Set(users).size).toBe(1);
});

test("lets in members of an organisation of GitHub, on whatever page it is listed, and checks only a first login", async () => {
  login.rules.github = [{ kind: "group", name: "acme" }];
  login.github.user = { ...login.github.user, organisations: ["other"] };
  expect(errorOf(await login.logIn(browser))).toBe("not_invited");
  const many = Array.from({ length: 120 }, (_, at) => `org-${at}`);
  login.github.user = { ...login.github.user, organisations: [...many, "Acme"] };
  expect(errorOf(await login.logIn(browser))).toBeNull();
  login.github.user = { ...login.github.user, organisations: [] };
  expect(errorOf(await login.logIn(login.newBrowser()))).toBeNull();
});

test.each([
  ["members of a group", { kind: "group", name: "acme" }, { groups: ["acme"] }, { groups: ["acme2"] }],
  [
    "accounts of a managed domain",
    { kind: "domain", name: "acme.example" },
    { hd: "acme.example" },
    { hd: "a.example" },
  ],
  [
    "verified addresses of the issuer's domain",
    { kind: "domain", name: "127.0.0.1" },
    { email: "a@127.0.0.1", email_verified: true },
    { email: "a@127.0.0.1", email_verified: false },
  ],
] as const)("lets in %s of an OpenID Connect provider", async (_, rule, good, bad) => {
  login.rules.corp = [rule];
  login.oidc.claims = { sub: `bad-${nextId}`, ...bad };
  expect(errorOf(await login.logIn(browser, "corp"))).toBe("not_invited");
  login.oidc.claims = { sub: `good-${nextId}`, ...good };
  expect(errorOf(await login.logIn(browser, "corp"))).toBeNull();
});

test("accepts a further invitation with a login of a known user", async () => {
  await login.logIn(browser, "github", `?invitation=${await invite()}`);
  const { user_id: userId } = await meIn(browser);
  await login.logIn(browser, "github", `?invitation=${await invite(login.api.other)}`);
  const me = await meIn(browser);
  expect(me.user_id).toBe(userId);
  expect(me.teams).toHaveLength(2);
});

test("has no place for an invited user in a team that is full", async () => {
  const quotas = { membersPerTeam: 1 };
  const full = await startHttp({ ...login.api.options, config: { ...login.api.options.config, quotas } });
  const at = new CookieBrowser(full.url);
  const back = await login.authorize(at, "github", `?invitation=${await invite()}`);
  expect(errorOf(await at.open(back))).toBe("quota_exceeded");
  expect(at.cookies.size).toBe(0);
  await full.stop();
});

test("makes no user while the store is nearly full, and lets a known one in", async () => {
  letAnybodyIn("github");
  let isNearlyFull = true;
  const full = await startHttp({ ...login.api.options, storeIsNearlyFull: () => isNearlyFull });
  const open = async () => {
    const at = new CookieBrowser(full.url);
    const response = await at.open(await login.authorize(at));
    return { response, isLoggedIn: at.cookies.size > 0 };
  };
  const refused = await open();
  expect([errorOf(refused.response), refused.isLoggedIn]).toEqual(["unavailable", false]);
  isNearlyFull = false;
  expect((await open()).isLoggedIn).toBe(true);
  isNearlyFull = true;
  expect((await open()).isLoggedIn).toBe(true);
  await full.stop();
});

test("says so to a user who is in no team any more", async () => {
  await login.logIn(browser, "github", `?invitation=${await invite()}`);
  const { user_id: userId } = await meIn(browser);
  const { key, teamId } = login.api.own;
  await call(`${login.api.url}/v1/teams/${teamId}/members/${userId}`, { key, method: "DELETE" });
  expect(errorOf(await login.logIn(browser))).toBe("no_team");
});

test("brings a user who declines at the provider back to the login page", async () => {
  const back = new URL(await login.authorize(browser));
  back.searchParams.delete("code");
  back.searchParams.set("error", "access_denied");
  expect(errorOf(await browser.open(back.href))).toBe("login_declined");
});

test("keeps the invitation and the page to come back to for the login after one that failed", async () => {
  login.github.faults.set("/api/v3/user", FAULTS.failing);
  const code = await invite();
  const failed = await login.logIn(browser, "github", `?invitation=${code}&return_to=/keys`);
  login.github.faults.clear();
  const search = Object.fromEntries(new URL(locationOf(failed)).searchParams);
  const carried = { return_to: "/keys", invitation: code };
  expect(search).toEqual({ error: "provider_unreachable", provider: "github", ...carried });
  const done = await login.logIn(browser, "github", `?${new URLSearchParams(carried)}`);
  expect(locationOf(done)).toBe(`${login.api.url}/keys`);
});

test("is in the audit log of the user's team, with who and what was made", async () => {
  letAnybodyIn("github");
  await login.logIn(browser);
  const { user_id: userId, teams } = await meIn(browser);
  const { text } = await browser.open(`/v1/teams/${teams[0].team_id}/audit`);
  const [entry] = JSON.parse(text).items;
  expect(entry).toMatchObject({ action: "finishLogin", user_id: userId, credential: { kind: "login" } });
  expect(entry).toMatchObject({ object: { kind: "session" }, after: { provider: "github" } });
  expect(entry.also.map(({ kind }: { kind: string }) => kind)).toEqual(["user", "account", "team", "member"]);
});

test("is in the audit log of the user's team, with who and what was made", async () => {
  letAnybodyIn("github");
  await login.logIn(browser);
  const { user_id: userId, teams } = await meIn(browser);
  const { text } = await browser.open(`/v1/teams/${teams[0].team_id}/audit`);
  const [entry] = JSON.parse(text).items;
  expect(entry).toMatchObject({ action: "finishLogin", user_id: userId, credential: { kind: "login" } });
  expect(entry).toMatchObject({ object: { kind: "session" }, after: { provider: "github" } });
  expect(entry.also.map(({ kind }: { kind: string }) => kind)).toEqual(["user", "account", "team", "member"]);
});

test("ends the session that the browser had before", async () => {
  await login.logIn(browser, "github", `?invitation=${await invite()}`);
  const before = browser.copy();
  await login.logIn(browser);
  expect((await browser.open("/v1/me")).status).toBe(200);
  expect((await before.open("/v1/me")).status).toBe(401);
});

describe("a linked account", () => {
  async function link(of: CookieBrowser, provider: ProviderName) {
    const { text } = await of.open("/v1/me/accounts", { body: { provider } });
    return of.open(await AUTHORIZE[provider](JSON.parse(text).url), { site: "cross-site" });
  }

  test("logs the same user in, is listed and unlinked; the last one stays", async () => {
    await login.logIn(browser, "github", `?invitation=${await invite()}`);
    const { user_id: userId } = await meIn(browser);
    expect(locationOf(await link(browser, "corp"))).toBe(`${login.api.url}/settings/sessions`);
    const other = login.newBrowser();
    await login.logIn(other, "corp");
    expect((await meIn(other)).user_id).toBe(userId);

    const listed = JSON.parse((await other.open("/v1/me/accounts")).text).items;
    expect(listed).toMatchObject([
      { issuer: login.github.url, login: "ada" },
      { issuer: login.oidc.url, login: "ada" },
    ]);
    const unlink = (at: number) => other.open(`/v1/me/accounts/${listed[at].account_id}`, { method: "DELETE" });
    expect((await unlink(0)).status).toBe(204);
    expect(errorOf(await login.logIn(login.newBrowser()))).toBe("not_invited");
    expect(await unlink(1)).toMatchObject({ status: 409, json: { code: "last_account" } });
    expect((await unlink(0)).status).toBe(404);
  });

  test("is one user's: another user can neither link nor unlink it", async () => {
    await login.logIn(browser, "github", `?invitation=${await invite()}`);
    const [{ account_id: id }] = JSON.parse((await browser.open("/v1/me/accounts")).text).items;
    const other = login.newBrowser();
    await login.logIn(other, "corp", `?invitation=${await invite()}`);
    expect(errorOf(await link(other, "github"))).toBe("account_taken");
    expect((await other.open(`/v1/me/accounts/${id}`, { method: "DELETE" })).status).toBe(404);
  });

  test("cannot be of an unknown provider", async () => {
    await login.logIn(browser, "github", `?invitation=${await invite()}`);
    const refused = await browser.open("/v1/me/accounts", { body: { provider: "gitea" } });
    expect(refused).toMatchObject({ status: 404, json: { code: "not_found" } });
  });
});
