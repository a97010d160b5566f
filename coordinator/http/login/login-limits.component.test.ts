/** Limits of what logins create, also where many finish in parallel. */
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { usersOfDay } from "../../accounts/sign-up.ts";
import { ACCOUNTS_PER_USER } from "../../domain/account.ts";
import { QUOTAS } from "../../domain/quotas.ts";
import { create } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { type CookieBrowser, errorOf } from "../testing/cookie-browser.ts";
import { AUTHORIZE, type LoginFixture, startLoginFixture } from "./testing/login-fixture.ts";

const AT_ONCE = 12;

let login: LoginFixture;
let accounts = 0;

beforeAll(async () => {
  login = await startLoginFixture();
});
afterAll(() => login[Symbol.asyncDispose]());
beforeEach(() => {
  login.rules.github = [{ kind: "open", usersPerDayMax: 1_000 }];
  useNewAccount();
});

function useNewAccount(): void {
  accounts += 1;
  login.github.user = { id: accounts, login: `account-${accounts}`, organisations: [] };
}

/** Many, each up to the address that leads back from the provider; each of an account that nobody has used. */
async function begun(
  begin: () => Promise<{ readonly browser: CookieBrowser; readonly back: string }>,
): Promise<() => Promise<readonly (string | null)[]>> {
  const all: Awaited<ReturnType<typeof begin>>[] = [];
  while (all.length < AT_ONCE) {
    useNewAccount();
    all.push(await begin());
  }
  return () => Promise.all(all.map(async ({ browser, back }) => errorOf(await browser.open(back, CROSS_SITE))));
}

const CROSS_SITE = { site: "cross-site" } as const;

test("limits parallel first logins to the users that the day has left", async () => {
  login.rules.github = [{ kind: "open", usersPerDayMax: usersOfDay(login.api.store.view, Date.now()) + 3 }];
  const finish = await begun(async () => {
    const browser = login.newBrowser();
    return { browser, back: await login.authorize(browser) };
  });
  const errors = await finish();
  expect(errors.filter((error) => error === null)).toHaveLength(3);
  expect(errors.filter((error) => error === "sign_ups_full")).toHaveLength(AT_ONCE - 3);
});

test("limits accounts that are linked in parallel to those that a user may have", async () => {
  const browser = login.newBrowser();
  await login.logIn(browser);
  const finish = await begun(async () => {
    const tab = browser.copy();
    const { text } = await tab.open("/v1/me/accounts", { body: { provider: "github" } });
    return { browser: tab, back: await AUTHORIZE.github(JSON.parse(text).url) };
  });
  expect((await finish()).filter((error) => error === null)).toHaveLength(ACCOUNTS_PER_USER - 1);
  expect((await browser.open("/v1/me/accounts")).json).toMatchObject({ total: ACCOUNTS_PER_USER });
});

test("applies the limit of teams per user to a login by an invitation", async () => {
  const { api } = login;
  const browser = login.newBrowser();
  await login.logIn(browser);
  const { user_id: userId } = JSON.parse((await browser.open("/v1/me")).text);
  for (let teams = 1; teams < QUOTAS.teamsPerUser; teams++) {
    const team = { id: newId(Date.now()), name: `team ${teams}`, createdAt: 0 };
    const membership = { userId, teamId: team.id, role: "owner", createdAt: 0 } as const;
    await api.store.commit([create("teams", team), create("memberships", membership)]);
  }
  const path = `${api.url}/v1/teams/${api.own.teamId}/invitations`;
  const { code } = JSON.parse((await call(path, { key: api.own.key, body: "{}" })).text);
  expect(errorOf(await login.logIn(browser, "github", `?invitation=${code}`))).toBe("quota_exceeded");
  // It stays open, for a user who has room.
  useNewAccount();
  expect(errorOf(await login.logIn(login.newBrowser(), "github", `?invitation=${code}`))).toBeNull();
});
