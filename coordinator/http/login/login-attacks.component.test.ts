/** What an attacker tries at a login, and that each attempt comes to nothing. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LOGIN_MS } from "../../domain/used-login.ts";
import { beginLogin, sealLogin } from "../../login/login-transaction.ts";
import { HOME } from "../../login/return-path.ts";
import { openSecrets } from "../../secrets/secrets.ts";
import { loginToken } from "../testing/browser.ts";
import { sendRaw } from "../testing/call.ts";
import { type CookieBrowser, errorOf, locationOf } from "../testing/cookie-browser.ts";
import { AUTHORIZE, type LoginFixture, type ProviderName, startLoginFixture } from "./testing/login-fixture.ts";

const LOGIN_COOKIE = "elastic_login";
const SESSION_COOKIE = "elastic_session";
const VICTIM = { github: { id: 1, login: "victim", organisations: [] }, corp: { sub: "1" } };
const ATTACKER = { github: { id: 2, login: "attacker", organisations: [] }, corp: { sub: "2" } };
const PROVIDERS: readonly ProviderName[] = ["github", "corp"];

let login: LoginFixture;
let victim: CookieBrowser;

beforeAll(async () => {
  login = await startLoginFixture();
  for (const provider of PROVIDERS) login.rules[provider] = [{ kind: "open", usersPerDayMax: 1_000 }];
});
afterAll(() => login[Symbol.asyncDispose]());
beforeEach(() => {
  victim = login.newBrowser();
  be(VICTIM);
});

function be({ github, corp }: typeof VICTIM): void {
  login.github.user = github;
  login.oidc.claims = corp;
}

/** An attacker who is logged in, with their own account. */
async function attacker(provider: ProviderName = "github"): Promise<CookieBrowser> {
  be(ATTACKER);
  const browser = login.newBrowser();
  await login.logIn(browser, provider);
  be(VICTIM);
  return browser;
}

/** The attacker's login, up to the address that leads back from the provider. */
async function attackersBack(browser = login.newBrowser(), provider: ProviderName = "github"): Promise<string> {
  be(ATTACKER);
  const back = await login.authorize(browser, provider);
  be(VICTIM);
  return back;
}

async function userIn(browser: CookieBrowser): Promise<string | null> {
  const { status, text } = await browser.open("/v1/me");
  return status === 200 ? JSON.parse(text).user_id : null;
}

function changed(address: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

function parameterOf(address: string, name: string): string {
  return new URL(address).searchParams.get(name) ?? "";
}

/** Each attempt says what came of it; those of one attack all come to the same. */
type Attempts = () => Promise<readonly unknown[]>;

const ATTACKS: Readonly<Record<string, { readonly comesTo: unknown; readonly attempts: Attempts }>> = {
  "a session that was planted before the login is not the victim's after it": {
    comesTo: [true, null],
    attempts: () =>
      each([...PROVIDERS, "login-link"] as const, async (provider) => {
        const thief = await attacker();
        const browser = thief.copy();
        if (provider === "login-link") {
          await browser.open("/v1/sessions", { body: { login_token: await loginToken(login.api) } });
        } else {
          await login.logIn(browser, provider);
        }
        const isNew = browser.cookies.get(SESSION_COOKIE) !== thief.cookies.get(SESSION_COOKIE);
        return [isNew && (await userIn(browser)) !== null, await userIn(thief)];
      }),
  },
  "a victim who opens the attacker's way back is not logged in as the attacker": {
    comesTo: ["login_not_started", null],
    attempts: () =>
      each(["without a login", "during a login of their own", "with a state of their own"], async (how) => {
        const back = await attackersBack();
        const own = how === "without a login" ? null : await login.authorize(victim);
        const opened = how === "with a state of their own" ? changed(back, { state: "mine" }) : back;
        const come = [errorOf(await victim.open(opened, { site: "cross-site" })), await userIn(victim)];
        // Their own login is not disturbed.
        if (own !== null) expect(errorOf(await victim.open(own))).toBeNull();
        victim = login.newBrowser();
        return come;
      }),
  },
  "a code of the attacker's account is not redeemed in the victim's login": {
    comesTo: ["provider_refused", null],
    attempts: () =>
      each(PROVIDERS, async (provider) => {
        const code = parameterOf(await attackersBack(undefined, provider), "code");
        const back = await login.authorize(victim, provider);
        return [errorOf(await victim.open(changed(back, { code }))), await userIn(victim)];
      }),
  },
  "a state of another browser, of none, or of two is not accepted": {
    comesTo: ["login_not_started", null],
    attempts: () =>
      each(["other", "", null, "x".repeat(5_000), "twice"], async (state) => {
        const back = await login.authorize(victim);
        const other = parameterOf(await attackersBack(), "state");
        const opened =
          state === "twice" ? `${back}&state=${other}` : changed(back, { state: state === "other" ? other : state });
        return [errorOf(await victim.open(opened)), await userIn(victim)];
      }),
  },
  "a login at one provider does not come back from the other": {
    comesTo: ["login_not_started", null],
    attempts: () =>
      each(PROVIDERS, async (provider) => {
        const other = provider === "github" ? "corp" : "github";
        const back = (await login.authorize(victim, provider)).replace(`/login/${provider}/`, `/login/${other}/`);
        return [errorOf(await victim.open(back)), await userIn(victim)];
      }),
  },
  "a way back that was used makes no second session, also with the cookie of before": {
    comesTo: [true, null],
    attempts: () =>
      each(
        PROVIDERS.flatMap(
          (provider) =>
            [
              [provider, "again"],
              [provider, "fresh code"],
            ] as const,
        ),
        async (one) => {
          const [provider, how] = one;
          const started = locationOf(await victim.open(`/v1/login/${provider}`));
          const [first, second] = [await AUTHORIZE[provider](started), await AUTHORIZE[provider](started)];
          const thief = victim.copy();
          expect(errorOf(await victim.open(first))).toBeNull();
          const come = errorOf(await thief.open(how === "again" ? first : second));
          expect(errorOf(await victim.open(first))).toBe("login_not_started");
          victim = login.newBrowser();
          return [come === (how === "again" ? "provider_refused" : "login_used"), await userIn(thief)];
        },
      ),
  },
  "a login's cookie that is cut, altered, sealed elsewhere or too old starts nothing": {
    comesTo: [true, null],
    attempts: () =>
      each(["cut", "altered", "emptied", "of another service", "old"] as const, async (how) => {
        const back = await login.authorize(victim);
        const sealed = victim.cookies.get(LOGIN_COOKIE) ?? "";
        const old = beginLogin(
          "github",
          { returnTo: HOME, invitation: null, linkForUser: null },
          Date.now() - LOGIN_MS,
        );
        const elsewhere = openSecrets({ keyFile: join(mkdtempSync(join(tmpdir(), "keys-")), "keys") });
        const values = {
          cut: sealed.slice(0, -4),
          altered: sealed.replace(/.(?=.{20}$)/, (letter) => (letter === "A" ? "B" : "A")),
          emptied: "",
          "of another service": sealLogin(elsewhere, { ...old, startedAt: Date.now() }),
          old: sealLogin(login.api.secrets, old),
        };
        victim.cookies.set(LOGIN_COOKIE, values[how]);
        const isOwn = how === "of another service" || how === "old";
        const come = errorOf(await victim.open(isOwn ? changed(back, { state: old.state }) : back));
        return [come === (how === "old" ? "login_expired" : "login_not_started"), await userIn(victim)];
      }),
  },
  "a page of another site starts no login and accepts no invitation": {
    comesTo: "login_foreign",
    attempts: async () => [
      ...(await each(["cross-site", "same-site"] as const, async (site) =>
        errorOf(await victim.open("/v1/login/github", { site })),
      )),
      ...(await each(["cross-site", "same-site", "none", null] as const, async (site) =>
        errorOf(await victim.open("/v1/login/github?invitation=epi_1", { site })),
      )),
    ],
  },
  "a login leads to no other site": {
    comesTo: "/services",
    attempts: () =>
      each(OPEN_REDIRECTS, async (text) => {
        const done = await login.logIn(victim, "github", `?return_to=${encodeURIComponent(text)}`);
        expect(locationOf(done).startsWith(`${login.api.url}/`)).toBe(true);
        return locationOf(done).slice(login.api.url.length);
      }),
  },
  "the host that a request names is not where a login leads": {
    comesTo: true,
    attempts: () =>
      each(
        ["host: evil.example", "host: h\r\nx-forwarded-host: evil.example", "host: h\r\nforwarded: host=evil.example"],
        async (head) => {
          const { headers } = await sendRaw(
            login.api.url,
            `GET /v1/login/github HTTP/1.1\r\n${head}\r\nconnection: close\r\n\r\n`,
          );
          const leads = headers.get("location") ?? "";
          return parameterOf(leads, "redirect_uri") === `${login.api.url}/v1/login/github/callback`;
        },
      ),
  },
  "an attacker's account is not linked to the victim, nor the victim's to the attacker": {
    comesTo: [true, 1],
    attempts: () =>
      each(["attacker's way back", "after a log-out", "as another user"], async (how) => {
        await login.logIn(victim);
        const thief = await attacker();
        const linker = how === "attacker's way back" ? thief : victim;
        const { text } = await linker.open("/v1/me/accounts", { body: { provider: "corp" } });
        const back = await AUTHORIZE.corp(JSON.parse(text).url);
        if (how === "after a log-out") await victim.open("/v1/sessions/current", { method: "DELETE" });
        if (how === "as another user") victim.cookies.set(SESSION_COOKIE, thief.cookies.get(SESSION_COOKIE) ?? "");
        const come = errorOf(await victim.open(back, { site: "cross-site" }));
        const again = login.newBrowser();
        await login.logIn(again);
        const { total } = (await again.open("/v1/me/accounts")).json;
        victim = login.newBrowser();
        return [come === (how === "attacker's way back" ? "login_not_started" : "session_ended"), total];
      }),
  },
};

const OPEN_REDIRECTS = [
  "https://evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "/%2e%2e//evil.example",
  "/\t/evil.example",
  "/\r\nlocation: https://evil.example",
  "\u0000//evil.example",
  " //evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "http:evil.example",
  "@evil.example",
  ".evil.example",
  "%2f%2fevil.example",
  "/v1/sessions",
  "/login#token=ell_1",
];

async function each<T>(values: readonly T[], attempt: (value: T) => Promise<unknown>): Promise<readonly unknown[]> {
  const come: unknown[] = [];
  // One after the other: the stand-ins know one user at a time.
  for (const value of values) come.push(await attempt(value));
  return come;
}

let tried = 0;

test.each(Object.entries(ATTACKS))("%s", async (_, { attempts, comesTo }) => {
  const come = await attempts();
  tried += come.length;
  expect(come).toEqual(come.map(() => comesTo));
});

test("has tried each attack", () => {
  expect(tried).toBe(56);
});
