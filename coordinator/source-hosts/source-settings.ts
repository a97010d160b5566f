/** The settings of each source host: dedicated variables, `ELASTIC_SOURCE_<NAME>_…`, for as many as are named. */
import { isProviderUrl } from "../login/provider-settings.ts";

const SOURCE_KINDS = ["github", "gitlab"] as const;
type SourceKind = (typeof SOURCE_KINDS)[number];

export interface CommonSettings {
  readonly name: string;
  readonly title: string;
  /** Base address, without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  /** Read at each use, like the other files. */
  readonly clientSecretFile: string;
  readonly webhookSecretFile: string;
}

/** A GitHub App. */
export interface GithubSettings extends CommonSettings {
  readonly kind: "github";
  readonly appId: string;
  /** Of the app's address at the host. */
  readonly appSlug: string;
  /** PEM. */
  readonly privateKeyFile: string;
  /** `owner/name` of the repository that new ones are generated from; null where files are pushed. */
  readonly template: string | null;
}

/** An OAuth application of GitLab. */
export interface GitlabSettings extends CommonSettings {
  readonly kind: "gitlab";
  /** Whether tokens of projects may set commit statuses, which takes more than reading. */
  readonly setsStatuses: boolean;
}

export type SourceSettings = GithubSettings | GitlabSettings;

const COMMON_NEEDED = ["CLIENT_ID", "CLIENT_SECRET_FILE", "WEBHOOK_SECRET_FILE"] as const;
const NEEDED = {
  github: ["APP_ID", "APP_SLUG", "PRIVATE_KEY_FILE", ...COMMON_NEEDED],
  gitlab: COMMON_NEEDED,
} as const;
const COMMON = ["KIND", "URL", "TITLE"] as const;
const PARTS = {
  github: [...NEEDED.github, ...COMMON, "TEMPLATE"],
  gitlab: [...NEEDED.gitlab, ...COMMON, "COMMIT_STATUS"],
} as const;
const ALL_PARTS = [...PARTS.github, ...PARTS.gitlab];
type Part = (typeof PARTS)[SourceKind][number];

const KIND_DEFAULTS: Readonly<Record<SourceKind, { readonly url: string; readonly title: string }>> = {
  github: { url: "https://github.com", title: "GitHub" },
  gitlab: { url: "https://gitlab.com", title: "GitLab" },
};

export const SOURCE_HELP = `
For each name in --source-hosts, such as github, with its name in upper case and \`-\` as \`_\`, of a GitHub App whose
callback address is <public url>/v1/source-hosts/github/callback and whose webhook is <public url>/v1/source-hosts/github/webhook:
  ELASTIC_SOURCE_GITHUB_APP_ID              its id
  ELASTIC_SOURCE_GITHUB_APP_SLUG            its name in its address, https://github.com/apps/<slug>
  ELASTIC_SOURCE_GITHUB_PRIVATE_KEY_FILE    file with its private key; files are read at each use
  ELASTIC_SOURCE_GITHUB_CLIENT_ID           its client id
  ELASTIC_SOURCE_GITHUB_CLIENT_SECRET_FILE  file with its client secret
  ELASTIC_SOURCE_GITHUB_WEBHOOK_SECRET_FILE file with the secret of its webhook
  ELASTIC_SOURCE_GITHUB_KIND                ${SOURCE_KINDS.join(" or ")}; the name where it is one of them, else github
  ELASTIC_SOURCE_GITHUB_URL                 of a GitHub Enterprise server; ${KIND_DEFAULTS.github.url} if left out
  ELASTIC_SOURCE_GITHUB_TITLE               on its button
  ELASTIC_SOURCE_GITHUB_TEMPLATE            owner/name of the repository that new ones are generated from; if left out,
                                            files are pushed to a new private repository
Of an OAuth application of GitLab with the scope api, whose callback address is <public url>/v1/source-hosts/gitlab/callback:
  ELASTIC_SOURCE_GITLAB_CLIENT_ID           its application id
  ELASTIC_SOURCE_GITLAB_CLIENT_SECRET_FILE  file with its secret
  ELASTIC_SOURCE_GITLAB_WEBHOOK_SECRET_FILE file with a secret of yours, from which the tokens of webhooks are derived
  ELASTIC_SOURCE_GITLAB_COMMIT_STATUS       on, where builds may set commit statuses: the tokens of projects may then write
  ELASTIC_SOURCE_GITLAB_URL                 of a GitLab server; ${KIND_DEFAULTS.gitlab.url} if left out
  ELASTIC_SOURCE_GITLAB_KIND, _TITLE        as above`;

export function isSourceName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,31}$/.test(text) && text !== "hosts";
}

/** Throws an error that names each variable that is wrong. */
export function readSourceHosts(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): readonly SourceSettings[] {
  const wrong: string[] = [];
  const hosts = names.map((name) => readSourceHost(env, name, wrong));
  const known = new Set(hosts.flatMap(({ name, kind }) => PARTS[kind].map((part) => variableOf(name, part))));
  for (const variable of Object.keys(env)) {
    if (!/^ELASTIC_SOURCE_(?!HOSTS$)/.test(variable) || known.has(variable)) continue;
    const of = hosts.find(({ name }) => ALL_PARTS.some((part) => variableOf(name, part) === variable));
    const why = of === undefined ? "of no host in ELASTIC_SOURCE_HOSTS" : `no setting of a host of kind ${of.kind}`;
    wrong.push(`${variable} is ${why}`);
  }
  if (wrong.length > 0) throw new Error(wrong.join("; "));
  return hosts;
}

function readSourceHost(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  wrong: string[],
): SourceSettings {
  const read = (part: Part): string => env[variableOf(name, part)] ?? "";
  const fail = (part: Part, why: string): void => void wrong.push(`${variableOf(name, part)} ${why}`);
  const kind = SOURCE_KINDS.find((one) => one === (read("KIND") || name)) ?? "github";
  if (read("KIND") !== "" && read("KIND") !== kind) fail("KIND", `is none of ${SOURCE_KINDS.join(", ")}`);
  for (const part of NEEDED[kind]) if (read(part) === "") fail(part, "is needed");
  const url = (read("URL") || KIND_DEFAULTS[kind].url).replace(/\/+$/, "");
  if (!isProviderUrl(url)) fail("URL", "is no https address; http is for loopback alone");
  const common: CommonSettings = {
    name,
    title: read("TITLE") || KIND_DEFAULTS[kind].title,
    url,
    clientId: read("CLIENT_ID"),
    clientSecretFile: read("CLIENT_SECRET_FILE"),
    webhookSecretFile: read("WEBHOOK_SECRET_FILE"),
  };
  return kind === "github" ? githubOf(common, read, fail) : gitlabOf(common, read, fail);
}

type Read = (part: Part) => string;
type Fail = (part: Part, why: string) => void;

function githubOf(common: CommonSettings, read: Read, fail: Fail): GithubSettings {
  if (!/^(\d{1,20}|)$/.test(read("APP_ID"))) fail("APP_ID", "is no number");
  if (!/^[a-z0-9-]{0,100}$/.test(read("APP_SLUG"))) fail("APP_SLUG", "is no slug of an app");
  const template = read("TEMPLATE") || null;
  if (template !== null && !/^[\w-]{1,100}\/[\w.-]{1,100}$/.test(template)) fail("TEMPLATE", "is not owner/name");
  return {
    ...common,
    kind: "github",
    appId: read("APP_ID"),
    appSlug: read("APP_SLUG"),
    privateKeyFile: read("PRIVATE_KEY_FILE"),
    template,
  };
}

function gitlabOf(common: CommonSettings, read: Read, fail: Fail): GitlabSettings {
  if (!/^(on|off|)$/.test(read("COMMIT_STATUS"))) fail("COMMIT_STATUS", "is neither on nor off");
  return { ...common, kind: "gitlab", setsStatuses: read("COMMIT_STATUS") === "on" };
}

function variableOf(name: string, part: Part): string {
  return `ELASTIC_SOURCE_${name.toUpperCase().replaceAll("-", "_")}_${part}`;
}
