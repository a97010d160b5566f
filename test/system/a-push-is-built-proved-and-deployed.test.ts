/** Deploy on push: built from the repository, proved by a canary, rolled out; what fails changes nothing and is reported. */
import { readFileSync } from "node:fs";
import { pushBusybox } from "@elastic/agent/builds/testing/push-busybox.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import type { BuildRecord } from "../cluster/build-source.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { connectAccount, registerAddresses } from "../cluster/linked-account.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { appSettings, writeAppFiles } from "../github/app-settings.ts";
import { type Files, filesOf, type MemoryRepository } from "../github/memory-repository.ts";
import { type GithubHost, startGithubHost } from "../login/github-host.ts";

interface Released extends BuildRecord {
  readonly repository: { readonly commit: string | null; readonly title: string | null } | null;
  readonly release: {
    readonly trigger: string;
    readonly state: string;
    readonly deployment_id: string | null;
    readonly message: string | null;
  } | null;
}

const folder = makeWorkFolder();
let github: GithubHost;
let cluster: Cluster;
let client: ApiClient;
let repository: MemoryRepository;
let serviceId: string;

beforeAll(async () => {
  github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
  cluster = await startCluster({
    engine: true,
    coordinatorSettings: appSettings("github", github.url, writeAppFiles(folder.path)),
    agentSettings: { ELASTIC_BUILDS: "1", ELASTIC_BUILD_EGRESS: "none" },
  });
  client = cluster.client();
  registerAddresses(cluster, github);
  await pushBusybox(cluster.registry?.host ?? "", client.key);
  repository = github.app.addRepository({ owner: "ada", name: "prover" }, sourceOf("echo"));
  const connectionId = await connectAccount(cluster, github, [repository]);
  serviceId = (await client.createService("pushed")).service_id;
  const source = { connection_id: connectionId, repository_id: String(repository.id), branch: "main" };
  await send("PUT", `/v1/services/${serviceId}/source`, { ...source, deploy_on_push: true });
  await send("POST", `/v1/services/${serviceId}/webhooks`, { name: "events", url: "https://example.com/hook" });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await github[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const PROVER = readFileSync(inRepository("target", "image", "misbehave", "misbehave"));

/** A prover that behaves by `mode`; of each version there is another image. */
function sourceOf(mode: string, version = "1"): Files {
  const env = `ENV MISBEHAVE=${mode} VERSION=${version}`;
  return new Map([
    ...filesOf({ Dockerfile: `FROM scratch\nCOPY prover /prover\n${env}\nEXPOSE 8080\nENTRYPOINT ["/prover"]\n` }),
    ["prover", { content: PROVER, isExecutable: true }] as const,
  ]);
}

async function send(method: string, path: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const reply = await client.call(path, { method, body: JSON.stringify(body), headers });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.json;
}

async function items<T>(path: string): Promise<readonly T[]> {
  return ((await client.call(path)).json as { readonly items: readonly T[] }).items;
}

async function buildsOf(sha: string): Promise<readonly Released[]> {
  const builds = await items<Released>(`/v1/services/${serviceId}/builds`);
  return builds.filter((one) => one.repository?.commit === sha);
}

/** The build of that commit once its release has ended so. */
function releasedAs(sha: string, state: string): Promise<Released> {
  return until(
    `the release of ${sha} is ${state}`,
    async () => {
      const [build] = await buildsOf(sha);
      if (build?.release?.state === state) return build;
      throw new Error(`it is ${JSON.stringify(build)}`);
    },
    { timeoutMs: 90_000, everyMs: 100 },
  );
}

async function push(files: Files, message: string): Promise<string> {
  const { commit, response } = await github.app.push(repository, "main", files, message);
  expect(response?.status).toBe(204);
  return commit.sha;
}

async function statusesOf(sha: string, last: string): Promise<readonly string[]> {
  const states = () => repository.statuses.filter((one) => one.sha === sha).map(({ state }) => state);
  await expect.poll(() => states().at(-1)).toBe(last);
  return states();
}

async function eventsOf(subject: string): Promise<readonly string[]> {
  const [webhook] = await items<{ readonly webhook_id: string }>(`/v1/services/${serviceId}/webhooks`);
  interface Sent {
    readonly type: string;
    readonly deployment_id: string | null;
    readonly build_id: string | null;
  }
  const sent = await items<Sent>(`/v1/webhooks/${webhook?.webhook_id}/deliveries`);
  return sent.filter((one) => [one.deployment_id, one.build_id].includes(subject)).map(({ type }) => type);
}

/** What serves. */
async function serving(): Promise<object> {
  const { state, current_deployment_id } = (await client.call(`/v1/services/${serviceId}`)).json as Record<
    string,
    string
  >;
  return { state, current_deployment_id };
}

test("builds the first push, deploys it without anything to prove, and reports it at the commit", async () => {
  const sha = await push(sourceOf("echo"), "First prover\n\nwith more");
  const build = await releasedAs(sha, "released");
  expect(build).toMatchObject({
    phase: "succeeded",
    repository: { title: "First prover", ref: "refs/heads/main" },
    release: { trigger: "push", message: null },
  });
  await client.serviceIs(serviceId, "Ready");
  expect(await statusesOf(sha, "success")).toEqual(["pending", "success"]);
  expect(repository.statuses[0]?.context).toBe(`elastic/pushed-${serviceId.slice(-8)}`);
});

test("makes the next one prove the last input before it serves", async () => {
  const proved = await client.prove(serviceId, '{"n":7}');
  expect(proved.state).toBe("SUCCESS");
  const sha = await push(sourceOf("echo", "2"), "Second prover");
  const { release } = await releasedAs(sha, "released");
  const deployment = await client.call(`/v1/services/${serviceId}/deployments/${release?.deployment_id}`);
  expect(deployment.json).toMatchObject({ state: "Ready", canary_of: proved.task_id, stage: "ready" });
  const events = await client.call(`/v1/services/${serviceId}/deployments/${release?.deployment_id}/events`);
  const [, canaryId = ""] = /"deployment\.proving".*"task_id":"([0-9a-f]{32})"/.exec(events.text) ?? [];
  const canary = await client.task(canaryId);
  expect(canary).toMatchObject({ state: "SUCCESS", input: '{"n":7}' });
});

test("deploys nothing where the image is the one that serves", async () => {
  const before = await serving();
  const sha = await push(
    new Map([...sourceOf("echo", "2"), ...filesOf({ "notes.md": "nothing of it is copied" })]),
    "Notes",
  );
  await releasedAs(sha, "released");
  expect(await serving()).toEqual(before);
});

test("leaves what serves where the next one does not prove it", async () => {
  const before = await serving();
  const sha = await push(sourceOf("500"), "A prover that fails");
  const { release, phase } = await releasedAs(sha, "failed");
  expect([phase, release?.message]).toEqual([
    "succeeded",
    expect.stringMatching(/^the deployment failed at proving: .*see task [0-9a-f]{32}$/),
  ]);
  expect(await statusesOf(sha, "failure")).toEqual(["pending", "failure"]);
  expect(await serving()).toEqual({ ...before, state: "Ready" });
  expect(await client.prove(serviceId, '{"n":8}')).toMatchObject({ state: "SUCCESS", attempt: 1 });
  expect(await eventsOf(release?.deployment_id ?? "")).toEqual(["deployment.failed"]);
});

test("leaves what serves where the build fails, and reports that at the commit and by a webhook", async () => {
  const before = await serving();
  const sha = await push(filesOf({ Dockerfile: "FROM busybox:1\nRUN exit 3\n" }), "Does not build");
  const build = await releasedAs(sha, "failed");
  expect(build).toMatchObject({ phase: "failed", failure: { line: 2 }, release: { deployment_id: null } });
  expect(await statusesOf(sha, "failure")).toEqual(["pending", "failure"]);
  expect(await serving()).toEqual({ ...before, state: "Ready" });
  expect(await eventsOf(build.build_id)).toEqual(["deployment.failed"]);
});

test("builds the newest of two pushes alone", async () => {
  const slow = filesOf({ Dockerfile: 'FROM busybox:1\nRUN sleep 1000\nENTRYPOINT ["/bin/sh"]\n' });
  const first = await push(slow, "Never built to its end");
  // A build that is prepared only after the second push takes that commit at once.
  await expect.poll(() => buildsOf(first)).toHaveLength(1);
  const second = await push(sourceOf("echo", "3"), "Newest");
  expect((await releasedAs(first, "superseded")).phase).toBe("cancelled");
  await releasedAs(second, "released");
  expect(await statusesOf(first, "error")).toContain("error");
  expect(await buildsOf(second)).toHaveLength(1);
});

test("builds the head for a push whose commit no longer exists", async () => {
  const before = await serving();
  const head = repository.branches.get("main") ?? "";
  const more = { ref: "refs/heads/main", before: "0".repeat(40), after: "1".repeat(40) };
  expect((await github.app.send("push", github.app.pushPayload(repository, more) ?? {}))?.status).toBe(204);
  await expect
    .poll(async () => {
      const [newest] = await items<Released>(`/v1/services/${serviceId}/builds`);
      return [newest?.repository?.commit, newest?.release?.state, newest?.reused_from !== null];
    })
    .toEqual([head, "released", true]);
  expect(await serving()).toEqual(before);
});
