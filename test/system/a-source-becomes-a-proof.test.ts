/** A source sent over the public interface is built on a machine of the fleet, pushed, deployed and proves. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pushBusybox } from "@elastic/agent/builds/testing/push-busybox.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { verifyProof } from "@elastic/deploy/local/verify-proof.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import { buildLog, buildThat, createBuild, endedBuild } from "../cluster/build-source.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { userCommand } from "../cluster/user-command.ts";
import { CLAIM, INPUT, WRONG_CLAIM } from "./statement.ts";

let cluster: Cluster;
let client: ApiClient;

beforeAll(async () => {
  cluster = await startCluster({ engine: true, agentSettings: { ELASTIC_BUILDS: "1", ELASTIC_BUILD_EGRESS: "none" } });
  client = cluster.client();
  await pushBusybox(cluster.registry?.host ?? "", client.key);
});
afterAll(() => cluster[Symbol.asyncDispose]());

const PROVER = readFileSync(inRepository("target", "image", "poseidon", "elastic"));

function proverSource(greeting: string) {
  const file = `FROM busybox:1 AS base\nRUN echo ${greeting} > /words && cat /words\nFROM scratch\nCOPY --from=base /words /words\nCOPY prover /prover\nEXPOSE 8080\nENTRYPOINT ["/prover"]\n`;
  return [
    ["Dockerfile", file],
    ["prover", PROVER, 0o755],
  ] as const;
}

test("builds, deploys and proves", async () => {
  const { service_id } = await client.createService("built");
  const begun = await createBuild(client, service_id, proverSource("hello-from-a-step"));
  const followed = buildLog(client, begun.build_id, "?follow=1");
  const build = await endedBuild(client, begun.build_id);
  expect(build).toMatchObject({ phase: "succeeded", failure: null, runs: 1, reused_from: null });
  expect(build.stages.map(({ name }) => name)).toEqual([
    "waiting",
    "fetching",
    "unpacking",
    "building",
    "checking",
    "pushing",
  ]);
  expect(await followed).toContain("hello-from-a-step");
  expect(await followed).toBe(await buildLog(client, begun.build_id));
  await client.deploy(service_id, { image: build.image ?? "" });
  await client.serviceIs(service_id, "Ready");
  const { result } = await client.prove(service_id, INPUT);
  expect(await verifyProof(result ?? "", CLAIM)).toBe(true);
  expect(await verifyProof(result ?? "", WRONG_CLAIM)).toBe(false);
});

test("gives the same source its image at once", async () => {
  const { service_id } = await client.createService("twice");
  const first = await endedBuild(client, (await createBuild(client, service_id, proverSource("twice"))).build_id);
  const second = await createBuild(client, service_id, proverSource("twice"));
  expect(second).toMatchObject({ phase: "succeeded", image: first.image, reused_from: first.build_id, runs: 0 });
  const third = await createBuild(client, service_id, proverSource("twice"), { no_cache: true });
  expect(third.phase).toBe("queued");
  expect(await endedBuild(client, third.build_id)).toMatchObject({ phase: "succeeded", runs: 1 });
});

test("cancels a build, and ends it on its machine", async () => {
  const { service_id } = await client.createService("cancelled");
  const source = [["Dockerfile", "FROM busybox:1\nRUN echo it-runs && sleep 1000\n"]] as const;
  const { build_id } = await createBuild(client, service_id, source);
  await expect.poll(() => buildLog(client, build_id), { timeout: 30_000 }).toContain("it-runs");
  const response = await client.call(`/v1/builds/${build_id}/cancel`, { method: "POST" });
  expect(response.json).toMatchObject({ phase: "cancelled" });
  // The one place of the machine is free again.
  const next = await createBuild(client, service_id, proverSource("after"));
  expect(await endedBuild(client, next.build_id)).toMatchObject({ phase: "succeeded" });
});

test("builds again after its agent was killed", async () => {
  const { service_id } = await client.createService("survivor");
  const source = [["Dockerfile", `FROM busybox:1\nRUN echo it-runs && sleep 5\nENTRYPOINT ["/bin/sh"]\n`]] as const;
  const { build_id } = await createBuild(client, service_id, source);
  await expect.poll(() => buildLog(client, build_id), { timeout: 30_000 }).toContain("it-runs");
  const [agent] = cluster.agents;
  await agent?.kill();
  await agent?.start();
  expect(await endedBuild(client, build_id)).toMatchObject({ phase: "succeeded" });
});

test("sends a folder with one command, builds and deploys it, and sends only what is new the next time", async () => {
  const folder = join(cluster.folder, "user");
  const elastic = userCommand({ folder, url: client.url, key: client.key, engineSocket: cluster.engine?.socket ?? "" });
  for (const [name, content, mode = 0o644] of proverSource("from-the-command-line")) {
    mkdirSync(join(folder, "project"), { recursive: true });
    writeFileSync(join(folder, "project", name), content, { mode });
  }
  expect(await elastic("service", "create", "sent")).toMatchObject({ code: 0 });
  const deployed = await elastic("deploy", "--remote-build");
  expect(deployed.code, deployed.stderr).toBe(0);
  expect(deployed.stdout).toContain("Ready.");
  expect(deployed.stderr).toMatch(/Source: 2 files, [\d.]+ MiB compressed/);
  expect(deployed.stderr).toContain("from-the-command-line");
  const again = await elastic("build", "--remote", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ phase: "succeeded", reused_from: expect.any(String) });
  const listed = JSON.parse((await elastic("build", "list", "--json")).stdout);
  expect(listed).toMatchObject([{ runs: 0 }, { runs: 1 }]);
  expect((await elastic("build", "logs", listed[1].build_id)).stdout).toContain("from-the-command-line");
});

test("fails with a reason, a line and a next step", async () => {
  const { service_id } = await client.createService("failed");
  const source = [["Dockerfile", "FROM busybox:1\nRUN true\nRUN exit 3\n"]] as const;
  const { build_id } = await createBuild(client, service_id, source);
  const failed = await buildThat(client, build_id, "has failed", ({ phase }) => phase === "failed");
  expect(failed.failure).toMatchObject({ reason: "build_failed", line: 3 });
  const again = await client.call(`/v1/builds/${build_id}/retry`, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  expect(again).toMatchObject({ status: 202, json: { retry_of: build_id, phase: "queued" } });
});
