/** What steps of a build reach of the service and of other teams, and what their images may do: two teams, one machine. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { archiveOf } from "@elastic/agent/builds/testing/archive.ts";
import { pushBusybox } from "@elastic/agent/builds/testing/push-busybox.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, apiClient } from "../cluster/api-client.ts";
import { type BuildRecord, buildLog, createBuild, endedBuild } from "../cluster/build-source.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { addTeam } from "../cluster/second-team.ts";

let cluster: Cluster;
let client: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  cluster = await startCluster({ engine: true, agentSettings: { ELASTIC_BUILDS: "2", ELASTIC_BUILD_EGRESS: "none" } });
  client = cluster.client();
  const { key } = await addTeam(cluster.etcd.endpoint, "rival");
  other = apiClient({ url: client.url, key });
  await pushBusybox(cluster.registry?.host ?? "", client.key);
});
afterAll(() => cluster[Symbol.asyncDispose]());

const PROBE = readFileSync(inRepository("target", "image", "misbehave", "misbehave"));
const FOUND = "found";

async function serviceOf(user: ApiClient, name: string): Promise<string> {
  return (await user.createService(name)).service_id;
}

/** Builds an image with one step, to its end. */
async function step(user: ApiClient, serviceId: string, command: string): Promise<BuildRecord & { log: string }> {
  const file = `FROM busybox:1\nRUN ${command}\nENTRYPOINT ["/bin/sh"]\n`;
  const { build_id } = await createBuild(user, serviceId, [["Dockerfile", file]]);
  return { ...(await endedBuild(user, build_id)), log: await buildLog(user, build_id) };
}

test("a step reaches no part of the service, by the network or by a file", async () => {
  const [coordinator, agent] = [cluster.coordinators[0], cluster.agents[0]];
  const addresses = [
    ...[client.url, `http://${coordinator?.grpc}`, coordinator?.metricsUrl, agent?.metricsUrl()],
    ...[cluster.etcd.endpoint, `http://${cluster.registry?.host}/v2/`],
  ];
  const requested = addresses.flatMap((url) =>
    ["", "env -u http_proxy -u HTTP_PROXY "].map((by) => `${by}wget -O - ${url}`),
  );
  const paths = [
    cluster.folder,
    "/var/run/docker.sock",
    cluster.engine?.socket ?? "",
    "/run",
    "/var/lib/elastic-agent",
  ];
  const looked = paths.map((path) => `ls ${path} | grep .`);
  const all = [...requested, ...looked]
    .map((attempt) => `if ${attempt}; then echo ${FOUND} by "${attempt}"; fi`)
    .join("; ");
  const { log, phase } = await step(
    client,
    await serviceOf(client, "curious"),
    `${all}; ls / | grep bin && echo ${FOUND}-itself`,
  );
  const found = [...log.matchAll(/^#\d+ [\d.]+ (found.*)$/gm)].map(([, line]) => line);
  expect([phase, found]).toEqual(["succeeded", ["found-itself"]]);
  // Each address was tried, and failed for want of a way.
  expect(log.match(/^#\d+ [\d.]+ wget: (can't connect to remote host|server returned error: .* 403)/gm)).toHaveLength(
    requested.length,
  );
});

test("a step reads images of the same team and of the site, none of another team, and pushes none", async () => {
  const mine = await step(other, await serviceOf(other, "secret"), "echo of-the-rival > /prover");
  const [, host = "", repository = ""] = /^([^/]+)\/(.*)@sha256:/.exec(mine.image ?? "") ?? [];
  const manifest = (name: string, tag: string) =>
    `wget -q -O - --header 'Accept: application/vnd.oci.image.manifest.v1+json' http://registry.elastic.internal/v2/${name}/manifests/${tag} > /dev/null`;
  const digest = mine.image?.split("@")[1] ?? "";
  const tries = [
    `${manifest("library/busybox", "1")} && echo read-the-site`,
    `${manifest(repository.replace(/:.*/, ""), digest)} && echo read-the-rival`,
    "wget -q -O - --post-data x http://registry.elastic.internal/v2/library/busybox/blobs/uploads/ && echo pushed",
  ];
  const service = await serviceOf(client, "thief");
  const { log } = await step(client, service, `${tries.join("; ")}; true`);
  expect([...log.matchAll(/^#\d+ [\d.]+ (read.*|pushed)$/gm)].map(([, line]) => line)).toEqual(["read-the-site"]);
  const from = await createBuild(client, service, [["Dockerfile", `FROM ${host}/${repository}@${digest}\n`]]);
  expect((await endedBuild(client, from.build_id)).failure).toMatchObject({ reason: "base_image_unavailable" });
});

test("a setuid program of an image gives its prover no privilege", async () => {
  const serviceId = await serviceOf(client, "setuid");
  const file =
    'FROM busybox:1 AS base\nCOPY prover /prover\nRUN chmod 6755 /prover && ls -l /prover\nFROM scratch\nCOPY --from=base /prover /prover\nENV MISBEHAVE=probe\nENTRYPOINT ["/prover"]\n';
  const { build_id } = await createBuild(client, serviceId, [
    ["Dockerfile", file],
    ["prover", PROBE, 0o755],
  ]);
  const { image, failure } = await endedBuild(client, build_id);
  expect(failure).toBeNull();
  expect(await buildLog(client, build_id)).toMatch(/-rwsr-sr-x +1 root +0 /);
  await client.deploy(serviceId, { image: image ?? "" });
  await client.serviceIs(serviceId, "Ready");
  const { result } = await client.prove(serviceId, '{"connect":[]}');
  const { status } = JSON.parse(result ?? "") as { readonly status: Readonly<Record<string, string>> };
  expect(status).toMatchObject({ NoNewPrivs: "1", CapEff: "0".repeat(16), CapPrm: "0".repeat(16) });
  // Real, effective, saved and of the file system.
  expect([status.Uid, status.Gid].map((ids) => ids?.trim().split(/\s+/))).toEqual([
    Array(4).fill("65534"),
    Array(4).fill("65534"),
  ]);
  await client.deleteServices();
});

test("hostile builds fail by name, while proofs and the build of another team succeed", async () => {
  const echo = await client.readyService("echo", { image: "builtin:echo" });
  const bomb = "bomb() { bomb | bomb & }; bomb; for i in $(seq 4000); do sleep 9 & done; wait; false";
  const hostile = step(client, await serviceOf(client, "bomb"), bomb);
  const proofs = Array.from({ length: 20 }, (_, index) => client.prove(echo.service_id, `${index}`));
  const good = await step(other, await serviceOf(other, "good"), "echo run > /prover");
  expect([good.phase, good.failure]).toEqual(["succeeded", null]);
  expect((await Promise.all(proofs)).map(({ state, attempt }) => [state, attempt])).toEqual(
    Array(20).fill(["SUCCESS", 1]),
  );
  expect((await hostile).failure).toMatchObject({ reason: "build_failed", line: 2 });
});

test("a build whose source is gone fails by name, and another one succeeds", async () => {
  const serviceId = await serviceOf(client, "gone");
  const [agent] = cluster.agents;
  await agent?.pause();
  const file = (word: string) => `FROM busybox:1\nRUN echo ${word} > /prover\nENTRYPOINT ["/prover"]\n`;
  const source = await archiveOf([["Dockerfile", file("gone")]]);
  const { build_id } = await createBuild(client, serviceId, source);
  rmSync(join(cluster.folder, "blobs", "data", cluster.firstKey.teamId, source.sha256));
  agent?.resume();
  expect((await endedBuild(client, build_id)).failure).toMatchObject({ reason: "source_unavailable" });
  const next = await createBuild(client, serviceId, [["Dockerfile", file("there")]]);
  expect(await endedBuild(client, next.build_id)).toMatchObject({ phase: "succeeded", failure: null });
});
