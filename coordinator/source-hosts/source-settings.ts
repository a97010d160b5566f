/** The settings of each source host: variables of its own, `ELASTIC_SOURCE_<NAME>_…`, for as many as are named. */
import { isProviderUrl } from "../login/provider-settings.ts";

export interface SourceSettings {
  readonly name: string;
  readonly title: string;
  /** Base address, without a slash at the end. */
  readonly url: string;
  readonly appId: string;
  /** Of the app's address at the host. */
  readonly appSlug: string;
  /** PEM; read at each use, like the other files. */
  readonly privateKeyFile: string;
  readonly clientId: string;
  readonly clientSecretFile: string;
  readonly webhookSecretFile: string;
  /** `owner/name` of the repository that new ones are generated from; null where files are pushed. */
  readonly template: string | null;
}

const NEEDED = [
  "APP_ID",
  "APP_SLUG",
  "PRIVATE_KEY_FILE",
  "CLIENT_ID",
  "CLIENT_SECRET_FILE",
  "WEBHOOK_SECRET_FILE",
] as const;
const PARTS = [...NEEDED, "URL", "TITLE", "TEMPLATE"] as const;
type Part = (typeof PARTS)[number];

const GITHUB = { url: "https://github.com", title: "GitHub" };

export const SOURCE_HELP = `
For each name in --source-hosts, such as github, with its name in upper case and \`-\` as \`_\`, of a GitHub App whose
callback address is <public url>/v1/source-hosts/github/callback and whose webhook is <public url>/v1/source-hosts/github/webhook:
  ELASTIC_SOURCE_GITHUB_APP_ID              its id
  ELASTIC_SOURCE_GITHUB_APP_SLUG            its name in its address, https://github.com/apps/<slug>
  ELASTIC_SOURCE_GITHUB_PRIVATE_KEY_FILE    file with its private key; files are read at each use
  ELASTIC_SOURCE_GITHUB_CLIENT_ID           its client id
  ELASTIC_SOURCE_GITHUB_CLIENT_SECRET_FILE  file with its client secret
  ELASTIC_SOURCE_GITHUB_WEBHOOK_SECRET_FILE file with the secret of its webhook
  ELASTIC_SOURCE_GITHUB_URL                 of a GitHub Enterprise server; ${GITHUB.url} if left out
  ELASTIC_SOURCE_GITHUB_TITLE               on its button
  ELASTIC_SOURCE_GITHUB_TEMPLATE            owner/name of the repository that new ones are generated from; if left out,
                                            files are pushed to a new private repository`;

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
  const known = new Set(names.flatMap((name) => PARTS.map((part) => variableOf(name, part))));
  for (const variable of Object.keys(env)) {
    if (!/^ELASTIC_SOURCE_(?!HOSTS$)/.test(variable) || known.has(variable)) continue;
    wrong.push(`${variable} is of no host in ELASTIC_SOURCE_HOSTS`);
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
  for (const part of NEEDED) if (read(part) === "") fail(part, "is needed");
  if (!/^(\d{1,20}|)$/.test(read("APP_ID"))) fail("APP_ID", "is no number");
  if (!/^[a-z0-9-]{0,100}$/.test(read("APP_SLUG"))) fail("APP_SLUG", "is no slug of an app");
  const url = (read("URL") || GITHUB.url).replace(/\/+$/, "");
  if (!isProviderUrl(url)) fail("URL", "is no https address; http is for loopback alone");
  const template = read("TEMPLATE") || null;
  if (template !== null && !/^[\w-]{1,100}\/[\w.-]{1,100}$/.test(template)) fail("TEMPLATE", "is not owner/name");
  return {
    name,
    title: read("TITLE") || GITHUB.title,
    url,
    appId: read("APP_ID"),
    appSlug: read("APP_SLUG"),
    privateKeyFile: read("PRIVATE_KEY_FILE"),
    clientId: read("CLIENT_ID"),
    clientSecretFile: read("CLIENT_SECRET_FILE"),
    webhookSecretFile: read("WEBHOOK_SECRET_FILE"),
    template,
  };
}

function variableOf(name: string, part: Part): string {
  return `ELASTIC_SOURCE_${name.toUpperCase().replaceAll("-", "_")}_${part}`;
}
