/** The settings of each login provider: dedicated variables, `ELASTIC_LOGIN_<NAME>_…`, for as many as are named. */

import { isFitForLogin } from "../auth/host-cookie.ts";
import { OPEN_USERS_PER_DAY_DEFAULT, type SignUpRule } from "../domain/sign-up-rule.ts";

const PROVIDER_KINDS = ["github", "gitlab", "oidc"] as const;
type ProviderKind = (typeof PROVIDER_KINDS)[number];

export interface ProviderSettings {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly title: string;
  /** Base address of GitHub, or the issuer of the others; without a slash at the end for GitHub. */
  readonly url: string;
  readonly clientId: string;
  /** Read at each login, so that a new secret needs no restart. */
  readonly clientSecretFile: string;
  readonly signUp: readonly SignUpRule[];
}

const PARTS = ["KIND", "URL", "TITLE", "CLIENT_ID", "CLIENT_SECRET_FILE", "ALLOW"] as const;
type Part = (typeof PARTS)[number];

const KIND_DEFAULTS: Readonly<Record<ProviderKind, { readonly url: string; readonly title: string }>> = {
  github: { url: "https://github.com", title: "GitHub" },
  gitlab: { url: "https://gitlab.com", title: "GitLab" },
  oidc: { url: "", title: "" },
};

export const PROVIDER_HELP = `
For each name in --login-providers, such as github, with its name in upper case and \`-\` as \`_\`:
  ELASTIC_LOGIN_GITHUB_CLIENT_ID           of the OAuth application, whose callback address is
                                           <public url>/v1/login/github/callback
  ELASTIC_LOGIN_GITHUB_CLIENT_SECRET_FILE  file with its secret, read at each login
  ELASTIC_LOGIN_GITHUB_KIND                ${PROVIDER_KINDS.join(", ")}; the name where it is one of them, else oidc
  ELASTIC_LOGIN_GITHUB_URL                 of a GitHub Enterprise or GitLab server, or the issuer of an OpenID Connect
                                           provider; ${KIND_DEFAULTS.github.url} or ${KIND_DEFAULTS.gitlab.url} if left out
  ELASTIC_LOGIN_GITHUB_TITLE               on its button
  ELASTIC_LOGIN_GITHUB_ALLOW               who needs no invitation, comma-separated: org:<name> of GitHub, group:<name>
                                           and domain:<name> of others, open or open:<new users a day>`;

export function isProviderName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,31}$/.test(text) && text !== "providers";
}

/** Throws an error that names each variable that is wrong. */
export function readProviders(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): readonly ProviderSettings[] {
  const wrong: string[] = [];
  const providers = names.map((name) => readProvider(env, name, wrong));
  const known = new Set(names.flatMap((name) => PARTS.map((part) => variableOf(name, part))));
  for (const variable of Object.keys(env)) {
    if (!/^ELASTIC_LOGIN_(?!PROVIDERS$)/.test(variable) || known.has(variable)) continue;
    wrong.push(`${variable} is of no provider in ELASTIC_LOGIN_PROVIDERS`);
  }
  if (wrong.length > 0) throw new Error(wrong.join("; "));
  return providers;
}

function readProvider(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  wrong: string[],
): ProviderSettings {
  const read = (part: Part): string => env[variableOf(name, part)] ?? "";
  const fail = (part: Part, why: string): void => void wrong.push(`${variableOf(name, part)} ${why}`);
  const kind = PROVIDER_KINDS.find((one) => one === (read("KIND") || name)) ?? "oidc";
  if (read("KIND") !== "" && read("KIND") !== kind) fail("KIND", `is none of ${PROVIDER_KINDS.join(", ")}`);
  const given = read("URL") || KIND_DEFAULTS[kind].url;
  if (given === "") fail("URL", "is needed: the issuer");
  else if (!isProviderUrl(given)) fail("URL", "is no https address; http is for loopback alone");
  for (const part of ["CLIENT_ID", "CLIENT_SECRET_FILE"] as const) if (read(part) === "") fail(part, "is needed");
  const rules = listOf(read("ALLOW")).map((text) => {
    const rule = parseRule(text, kind);
    if (rule === null) fail("ALLOW", `${JSON.stringify(text)} is no rule of ${kind}`);
    return rule;
  });
  return {
    name,
    kind,
    title: read("TITLE") || KIND_DEFAULTS[kind].title || name,
    url: kind === "github" ? given.replace(/\/+$/, "") : given,
    clientId: read("CLIENT_ID"),
    clientSecretFile: read("CLIENT_SECRET_FILE"),
    signUp: rules.filter((rule) => rule !== null),
  };
}

function variableOf(name: string, part: Part): string {
  return `ELASTIC_LOGIN_${name.toUpperCase().replaceAll("-", "_")}_${part}`;
}

function parseRule(text: string, kind: ProviderKind): SignUpRule | null {
  const [, key, value] = /^([a-z]+)(?::(.+))?$/.exec(text) ?? [];
  if (key === "open") return parseOpen(value);
  if (value === undefined) return null;
  // GitHub takes the case of a name for nothing, and says nothing of domains.
  if (kind === "github") return key === "org" ? { kind: "group", name: value.toLowerCase() } : null;
  if (key === "group") return { kind: "group", name: value };
  return key === "domain" && /^[a-z0-9.-]+\.[a-z0-9-]+$/i.test(value)
    ? { kind: "domain", name: value.toLowerCase() }
    : null;
}

function parseOpen(perDay: string | undefined): SignUpRule | null {
  if (perDay === undefined) return { kind: "open", usersPerDayMax: OPEN_USERS_PER_DAY_DEFAULT };
  return /^\d{1,6}$/.test(perDay) ? { kind: "open", usersPerDayMax: Number(perDay) } : null;
}

/** Without credentials, query and fragment; plain HTTP for loopback alone. */
export function isProviderUrl(text: string): boolean {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === "" && url.search === "" && url.hash === "";
  return isPlain && /^https?:$/.test(url.protocol) && isFitForLogin(url.href);
}

function listOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
