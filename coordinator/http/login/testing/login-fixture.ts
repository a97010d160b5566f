/** The API with stand-ins of two login providers, and what a browser does to log in at either. */
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { CLIENT } from "@elastic/test/login/code-grants.ts";
import { authorizeAtGithub, type GithubHost, startGithubHost } from "@elastic/test/login/github-host.ts";
import { authorizeAtOidc, type OidcHost, startOidcHost } from "@elastic/test/login/oidc-host.ts";
import type { SignUpRule } from "../../../domain/sign-up-rule.ts";
import { githubProvider } from "../../../login/github.ts";
import type { LoginProvider } from "../../../login/login-provider.ts";
import { oidcProvider } from "../../../login/oidc.ts";
import type { ProviderSettings } from "../../../login/provider-settings.ts";
import type { CallResponse } from "../../testing/call.ts";
import { CookieBrowser, locationOf } from "../../testing/cookie-browser.ts";
import { type HttpFixture, startHttpFixture } from "../../testing/http-fixture.ts";

export interface LoginFixture extends AsyncDisposable {
  readonly api: HttpFixture;
  readonly providers: readonly LoginProvider[];
  readonly github: GithubHost;
  readonly oidc: OidcHost;
  /** Who needs no invitation, by provider. */
  readonly rules: { github: readonly SignUpRule[]; corp: readonly SignUpRule[] };
  newBrowser(): CookieBrowser;
  /** Starts a login and logs in at the provider: the address that leads back. */
  authorize(browser: CookieBrowser, provider?: ProviderName, query?: string): Promise<string>;
  /** A login from its start to its end: the last redirection. */
  logIn(browser: CookieBrowser, provider?: ProviderName, query?: string): Promise<CallResponse>;
}

export type ProviderName = "github" | "corp";

export const AUTHORIZE = { github: authorizeAtGithub, corp: authorizeAtOidc } as const;

/** `deadlineMs` is how long a provider has for a response. */
export async function startLoginFixture(deadlineMs?: number): Promise<LoginFixture> {
  const dir = await mkdtemp(join(tmpdir(), "login-"));
  const clientSecretFile = join(dir, "secret");
  writeFileSync(clientSecretFile, `${CLIENT.secret}\n`);
  const github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
  const oidc = await startOidcHost({ sub: "70", preferred_username: "ada" });
  const rules: LoginFixture["rules"] = { github: [], corp: [] };
  const common = { clientId: CLIENT.id, clientSecretFile };
  const needsGroups: SignUpRule = { kind: "group", name: "acme" };
  const atGithub: ProviderSettings = {
    ...common,
    name: "github",
    kind: "github",
    title: "GitHub",
    url: github.url,
    signUp: [needsGroups],
  };
  const atCorp: ProviderSettings = { ...common, name: "corp", kind: "oidc", title: "Corp", url: oidc.url, signUp: [] };
  const providers = [
    withRules(githubProvider(atGithub, deadlineMs), () => rules.github),
    withRules(oidcProvider(atCorp, systemClock, deadlineMs), () => rules.corp),
  ];
  const api = await startHttpFixture(undefined, { providers });
  const fixture: LoginFixture = {
    api,
    providers,
    github,
    oidc,
    rules,
    newBrowser: () => new CookieBrowser(api.url),
    async authorize(browser, provider = "github", query = "") {
      return AUTHORIZE[provider](locationOf(await browser.open(`/v1/login/${provider}${query}`)));
    },
    async logIn(browser, provider, query) {
      return browser.open(await fixture.authorize(browser, provider, query), { site: "cross-site" });
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await github[Symbol.asyncDispose]();
      await oidc[Symbol.asyncDispose]();
      await rm(dir, { recursive: true });
    },
  };
  return fixture;
}

/** Rules that a test may change. */
function withRules(provider: LoginProvider, rules: () => readonly SignUpRule[]): LoginProvider {
  return {
    ...provider,
    get signUp() {
      return rules();
    },
  };
}
