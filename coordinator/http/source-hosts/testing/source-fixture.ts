/** The API with the stand-in for GitHub as its source host: two users in sessions of browsers, and ada's repositories there. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { install } from "@elastic/test/github/app-pages.ts";
import { appSettings, writeAppFiles } from "@elastic/test/github/app-settings.ts";
import { filesOf, type MemoryRepository } from "@elastic/test/github/memory-repository.ts";
import { type GithubHost, startGithubHost } from "@elastic/test/login/github-host.ts";
import type { ServiceSource } from "../../../domain/service-source.ts";
import { githubSourceHost } from "../../../source-hosts/github/github-source-host.ts";
import type { Push } from "../../../source-hosts/on-push.ts";
import { openSourceAccess, type SourceAccess } from "../../../source-hosts/source-access.ts";
import type { SourceHost } from "../../../source-hosts/source-host.ts";
import { readSourceHosts } from "../../../source-hosts/source-settings.ts";
import { type CallResponse, call } from "../../testing/call.ts";
import type { CookieBrowser } from "../../testing/cookie-browser.ts";
import { addReadyService, type HttpFixture, startHttpFixture, type Tenant } from "../../testing/http-fixture.ts";
import { endOfLink, sessionBrowser } from "./session-browser.ts";

export const ADA = { id: 7, login: "ada", organisations: [] };

export interface SourceFixture extends AsyncDisposable {
  readonly api: HttpFixture;
  readonly github: GithubHost;
  readonly host: SourceHost;
  readonly access: SourceAccess;
  /** The same where GitHub has only so long for a response. */
  accessWithin(deadlineMs: number): SourceAccess;
  readonly repository: MemoryRepository;
  readonly pushes: Push[];
  /** What the next pushes start fails so; nothing fails where it is null. */
  pushError: Error | null;
  /** A browser in which the tenant's user is logged in. */
  newBrowser(tenant?: Tenant): Promise<CookieBrowser>;
  /** Begins a link: the response has the address of the host. */
  begin(browser: CookieBrowser, body?: object): Promise<CallResponse>;
  /** Installs the app for ada with those repositories: the address that leads back. */
  installFrom(begun: CallResponse, repositories?: readonly MemoryRepository[]): URL;
  /** Follows the way back: what the console is given in its query. */
  finish(browser: CookieBrowser, back: URL | string): Promise<Readonly<Record<string, string>>>;
  /** A link from its start to its end: the id of the connection. */
  connect(repositories?: readonly MemoryRepository[], tenant?: Tenant): Promise<string>;
  /** A service that is built from the repository: its source. */
  addSource(connectionId: string, given?: object): Promise<ServiceSource>;
  /** The error that the console is given at the end of a link whose way back is changed so. */
  errorAfter(change: (back: URL) => void): Promise<string | undefined>;
}

/** `template` is what new repositories are generated from. */
export async function startSourceFixture(template?: string): Promise<SourceFixture> {
  const dir = await mkdtemp(join(tmpdir(), "sources-"));
  const github = await startGithubHost(ADA);
  const variables = appSettings("github", github.url, writeAppFiles(dir));
  const [settings] = readSourceHosts(
    { ...variables, ...(template !== undefined && { ELASTIC_SOURCE_GITHUB_TEMPLATE: template }) },
    ["github"],
  );
  if (settings?.kind !== "github") throw new Error("no source host");
  const host = githubSourceHost(settings, systemClock);
  const pushes: Push[] = [];
  const onPush = async (push: Push) => {
    if (fixture.pushError !== null) throw fixture.pushError;
    pushes.push(push);
  };
  const api = await startHttpFixture(undefined, { sourceHosts: [host], onPush });
  github.app.callbackUrl = `${api.url}/v1/source-hosts/github/callback`;
  github.app.webhookUrl = `${api.url}/v1/source-hosts/github/webhook`;
  const repository = github.app.addRepository(
    { owner: ADA.login, name: "prover" },
    filesOf({ Dockerfile: "FROM scratch\n" }),
  );
  const { store, secrets } = api;
  const accessBy = (one: SourceHost) =>
    openSourceAccess({ hosts: [one], store, secrets, clock: systemClock, publicUrl: () => api.url });
  const fixture: SourceFixture = {
    api,
    github,
    host,
    repository,
    pushes,
    pushError: null,
    access: accessBy(host),
    accessWithin: (deadlineMs) => accessBy(githubSourceHost(settings, systemClock, deadlineMs)),
    newBrowser: (tenant = api.own) => sessionBrowser(api, tenant),
    begin: (browser, body = {}) => browser.open("/v1/source-hosts/github/connections", { body }),
    installFrom(begun, repositories = [repository]) {
      const { redirect_url: address } = JSON.parse(begun.text);
      return install(
        github,
        repositories.map(({ id }) => id),
        new URL(address).searchParams.get("state") ?? "",
      );
    },
    finish: endOfLink,
    async connect(repositories, tenant) {
      const browser = await fixture.newBrowser(tenant);
      const back = fixture.installFrom(await fixture.begin(browser), repositories);
      const { connection_id: id, source_error: error } = await fixture.finish(browser, back);
      if (id === undefined) throw new Error(error);
      return id;
    },
    async addSource(connectionId, given = {}) {
      const service = await addReadyService(store, api.own);
      const requested = { connection_id: connectionId, repository_id: String(repository.id), branch: "main", ...given };
      const options = { key: api.own.key, method: "PUT", body: JSON.stringify({ deploy_on_push: true, ...requested }) };
      const { status, text } = await call(`${api.url}/v1/services/${service.id}/source`, options);
      const source = await store.get("service-sources", service.id);
      if (status !== 200 || source === null) throw new Error(text);
      return source.value;
    },
    async errorAfter(change) {
      const browser = await fixture.newBrowser();
      const back = fixture.installFrom(await fixture.begin(browser));
      change(back);
      return (await fixture.finish(browser, back)).source_error;
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await github[Symbol.asyncDispose]();
      await rm(dir, { recursive: true });
    },
  };
  return fixture;
}
