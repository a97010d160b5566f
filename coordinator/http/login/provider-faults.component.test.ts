/** Providers that fail, and statements about a user that are not the provider's: a sentence on the login page, and nothing lost. */
import { generateKeyPairSync } from "node:crypto";
import { CLIENT } from "@elastic/test/login/code-grants.ts";
import { FAULTS, type Handler, type HttpHost, sendJson } from "@elastic/test/login/http-host.ts";
import type { IdToken } from "@elastic/test/login/oidc-host.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf } from "../testing/cookie-browser.ts";
import { type LoginFixture, type ProviderName, startLoginFixture } from "./testing/login-fixture.ts";

/** For what never comes. Enough for what does, on the same machine. */
const DEADLINE_MS = 500;

let login: LoginFixture;

/** For each group: what a provider sent is cached once it was read, and an account is known once it has logged in. */
function startOwn(deadlineMs?: number): void {
  beforeAll(async () => {
    login = await startLoginFixture(deadlineMs);
  });
  afterAll(() => login[Symbol.asyncDispose]());
}

afterEach(() => {
  login.github.faults.clear();
  login.oidc.faults.clear();
  login.oidc.tamper = (token) => token;
  login.oidc.userInfo = null;
  login.rules.github = [];
  login.rules.corp = [];
});

function hostOf(provider: ProviderName): HttpHost {
  return provider === "github" ? login.github : login.oidc;
}

/** What each fault is on the login page. */
const SHOWN: Readonly<Record<Exclude<keyof typeof FAULTS, "silent">, string>> = {
  down: "provider_unreachable",
  failing: "provider_unreachable",
  notJson: "provider_invalid",
  brokenJson: "provider_invalid",
  empty: "provider_invalid",
  endless: "provider_invalid",
  elsewhere: "provider_invalid",
};

const PATHS: readonly (readonly [ProviderName, string])[] = [
  ["corp", "/.well-known/openid-configuration"],
  ["corp", "/jwks"],
  ["corp", "/token"],
  ["corp", "/userinfo"],
  ["github", "/login/oauth/access_token"],
  ["github", "/api/v3/user"],
  ["github", "/api/v3/user/orgs"],
];

/** A login with the fault there: the code of what the login page says. */
async function logInDespite(
  fault: keyof typeof FAULTS,
  [provider, path]: readonly [ProviderName, string],
): Promise<string | null> {
  login.rules[provider] = [{ kind: "group", name: "acme" }];
  hostOf(provider).faults.set(path, FAULTS[fault]);
  const browser = login.newBrowser();
  const started = await browser.open(`/v1/login/${provider}`);
  const isStart = path.startsWith("/.well-known");
  const come = errorOf(isStart ? started : await login.logIn(browser, provider));
  expect(browser.cookies.size).toBe(0);
  return come;
}

describe.each(PATHS)("%s, at %s,", (provider, path) => {
  startOwn();

  test.each(Object.entries(SHOWN))("%s: the login page says %s", async (fault, expected) => {
    expect(await logInDespite(fault as keyof typeof SHOWN, [provider, path])).toBe(expected);
  });

  test("serves the next login when it is back", async () => {
    login.rules[provider] = [{ kind: "open", usersPerDayMax: 1_000 }];
    expect(errorOf(await login.logIn(login.newBrowser(), provider))).toBeNull();
  });
});

describe("a provider that does not respond", () => {
  startOwn(DEADLINE_MS);

  test.each(PATHS)("is abandoned: %s, at %s", async (provider, path) => {
    expect(await logInDespite("silent", [provider, path])).toBe("provider_unreachable");
  });
});

const OTHER_KEY = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const seconds = (from: number): number => Math.floor(Date.now() / 1000) + from;

function saying(claims: object | (() => object)): (token: IdToken) => IdToken {
  return (token) => {
    const said = typeof claims === "function" ? claims() : claims;
    return { ...token, claims: { ...token.claims, ...said } };
  };
}

describe("a response of more than a MiB", () => {
  startOwn();

  test("is rejected, whatever it says", async () => {
    login.rules.github = [{ kind: "open", usersPerDayMax: 1_000 }];
    const user = (bytes: number): Handler => {
      return (_request, response) => sendJson(response, 200, { id: 7, login: "ada", bio: "x".repeat(bytes) });
    };
    login.github.faults.set("/api/v3/user", user(1_100_000));
    expect(errorOf(await login.logIn(login.newBrowser()))).toBe("provider_invalid");
    login.github.faults.set("/api/v3/user", user(1_000_000));
    expect(errorOf(await login.logIn(login.newBrowser()))).toBeNull();
  });
});

describe("what a provider says of a user", () => {
  startOwn();

  test.each<readonly [string, (token: IdToken) => IdToken]>([
    ["the nonce of another login", saying({ nonce: "another" })],
    ["no nonce", saying({ nonce: undefined })],
    ["another audience", saying({ aud: "another-client" })],
    ["another authorized party", saying({ aud: [CLIENT.id, "another"], azp: "another" })],
    ["another issuer", saying({ iss: "https://evil.example" })],
    ["an end in the past", saying(() => ({ exp: seconds(-60) }))],
    ["no end", saying({ exp: undefined })],
    ["a begin in the future", saying(() => ({ nbf: seconds(60) }))],
    ["no subject", saying({ sub: undefined })],
    ["another key's signature", (token) => ({ ...token, key: OTHER_KEY })],
    ["a key that the provider does not list", (token) => ({ ...token, header: { alg: "ES256", kid: "2" } })],
    ["no signature", (token) => ({ ...token, header: { alg: "none", kid: "1" } })],
    ["another algorithm", (token) => ({ ...token, header: { alg: "HS256", kid: "1" } })],
  ])("is rejected in an ID token with %s", async (_, tamper) => {
    login.rules.corp = [{ kind: "open", usersPerDayMax: 1_000 }];
    login.oidc.tamper = tamper;
    const browser = login.newBrowser();
    expect(errorOf(await login.logIn(browser, "corp"))).toBe("provider_invalid");
    expect(browser.cookies.size).toBe(0);
  });

  test.each([{ sub: "another" }, { preferred_username: "ada" }, {}])(
    "is rejected in a user's info %j, which is not of the ID token's user",
    async (info) => {
      login.rules.corp = [{ kind: "open", usersPerDayMax: 1_000 }];
      login.oidc.userInfo = info;
      expect(errorOf(await login.logIn(login.newBrowser(), "corp"))).toBe("provider_invalid");
    },
  );

  test("counts as the ID token has it, where the user's info differs", async () => {
    login.rules.corp = [{ kind: "domain", name: "acme.example" }];
    login.oidc.claims = { sub: "70", hd: "other.example" };
    login.oidc.userInfo = { sub: "70", hd: "acme.example" };
    expect(errorOf(await login.logIn(login.newBrowser(), "corp"))).toBe("not_invited");
  });
});
