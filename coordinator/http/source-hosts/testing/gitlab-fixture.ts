/** The API with the stand-in for GitLab as its source host: two users in sessions of browsers, and ada's projects there. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { filesOf, type MemoryRepository } from "@elastic/test/github/memory-repository.ts";
import { authorizeAtGitlab, type GitlabHost, startGitlabHost } from "@elastic/test/gitlab/gitlab-host.ts";
import { gitlabSettings } from "@elastic/test/gitlab/gitlab-settings.ts";
import type { ServiceSource } from "../../../domain/service-source.ts";
import { gitlabSourceHost } from "../../../source-hosts/gitlab/gitlab-source-host.ts";
import type { Push } from "../../../source-hosts/on-push.ts";
import { renewCredentials } from "../../../source-hosts/renew-loop.ts";
import { openSourceAccess, type SourceAccess } from "../../../source-hosts/source-access.ts";
import type { SourceHost } from "../../../source-hosts/source-host.ts";
import { readSourceHosts } from "../../../source-hosts/source-settings.ts";
import { type CallResponse, call } from "../../testing/call.ts";
import type { CookieBrowser } from "../../testing/cookie-browser.ts";
import { addReadyService, type HttpFixture, startHttpFixture, type Tenant } from "../../testing/http-fixture.ts";
import { endOfLink, sessionBrowser } from "./session-browser.ts";

const ADA = { id: 7, login: "ada" };

export interface GitlabFixture extends AsyncDisposable {
  readonly api: HttpFixture;
  readonly gitlab: GitlabHost;
  readonly access: SourceAccess;
  /** The same where GitLab has only so long for a response. */
  accessWithin(deadlineMs: number): SourceAccess;
  readonly project: MemoryRepository;
  readonly pushes: Push[];
  newBrowser(tenant?: Tenant): Promise<CookieBrowser>;
  /** Begins a link: the address at GitLab. */
  begin(browser: CookieBrowser, body?: object): Promise<string>;
  /** A link from its start to its end: the id of the connection. */
  connect(body?: object, tenant?: Tenant): Promise<string>;
  /** Sets what a new service is built from. */
  putSource(connectionId: string, project: MemoryRepository, given?: object): Promise<PutSource>;
  addSource(connectionId: string, project?: MemoryRepository): Promise<ServiceSource>;
  /** What the leader does now and then, so many days later. */
  renew(daysLater: number): Promise<void>;
}

interface PutSource {
  readonly response: CallResponse;
  readonly serviceId: string;
}

export async function startGitlabFixture(given: Readonly<Record<string, string>> = {}): Promise<GitlabFixture> {
  const dir = await mkdtemp(join(tmpdir(), "gitlab-"));
  const gitlab = await startGitlabHost(ADA);
  const [settings] = readSourceHosts({ ...gitlabSettings("gitlab", gitlab.url, dir), ...given }, ["gitlab"]);
  if (settings?.kind !== "gitlab") throw new Error("no source host");
  const host = gitlabSourceHost(settings, systemClock);
  const pushes: Push[] = [];
  const onPush = async (push: Push) => void pushes.push(push);
  const api = await startHttpFixture(undefined, { sourceHosts: [host], onPush });
  const { store, secrets, kv } = api;
  const project = gitlab.server.addProject(
    { owner: ADA.login, name: "prover" },
    filesOf({ Dockerfile: "FROM scratch\n" }),
  );
  const accessBy = (one: SourceHost) =>
    openSourceAccess({ hosts: [one], store, secrets, clock: systemClock, publicUrl: () => api.url });
  const fixture: GitlabFixture = {
    api,
    gitlab,
    project,
    pushes,
    access: accessBy(host),
    accessWithin: (deadlineMs) => accessBy(gitlabSourceHost(settings, systemClock, deadlineMs)),
    newBrowser: (tenant = api.own) => sessionBrowser(api, tenant),
    async begin(browser, body = {}) {
      const { text } = await browser.open("/v1/source-hosts/gitlab/connections", { body });
      return JSON.parse(text).redirect_url;
    },
    async connect(body, tenant) {
      const browser = await fixture.newBrowser(tenant);
      const back = await authorizeAtGitlab(await fixture.begin(browser, body));
      const { connection_id: id, source_error: error } = await endOfLink(browser, back);
      if (id === undefined) throw new Error(error);
      return id;
    },
    async putSource(connectionId, { id }, more = {}) {
      const { id: serviceId } = await addReadyService(store, api.own);
      const requested = { connection_id: connectionId, repository_id: String(id), branch: "main", ...more };
      const body = JSON.stringify({ deploy_on_push: true, ...requested });
      const response = await call(`${api.url}/v1/services/${serviceId}/source`, {
        key: api.own.key,
        method: "PUT",
        body,
      });
      return { response, serviceId };
    },
    async addSource(connectionId, one = project) {
      const { response, serviceId } = await fixture.putSource(connectionId, one);
      const source = await store.get("service-sources", serviceId);
      if (response.status !== 200 || source === null) throw new Error(response.text);
      return source.value;
    },
    renew: (daysLater) => {
      const clock = { ...systemClock, now: () => Date.now() + daysLater * 86_400_000 };
      const log = createLog({ name: "test", level: "silent" });
      return renewCredentials({ kv, store, hosts: [host], secrets, clock, log });
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await gitlab[Symbol.asyncDispose]();
      await rm(dir, { recursive: true });
    },
  };
  return fixture;
}
