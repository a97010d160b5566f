import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type AgentStarted, agentProgram, agentReady, enrollAgent } from "@elastic/deploy/local/agent.ts";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { joinLine } from "@elastic/deploy/local/coordinator.ts";
import { lineWithMessage } from "@elastic/deploy/local/json-line.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { type Coordinator, secretsKeyFile } from "../cluster/coordinator.ts";
import { programPath } from "../cluster/machine.ts";
import { type Part, startPart } from "../cluster/part.ts";
import { proveAt } from "./rotation.ts";
import { ALLOW_RECEIVERS, receiverOf } from "./webhook-scenario.ts";

const OWN_AUTHORITY = {
  ELASTIC_TLS_CA: "",
  ELASTIC_TLS_CERT: "",
  ELASTIC_TLS_KEY: "",
  ELASTIC_ENROLL_LISTEN: "127.0.0.1:0",
};
const START_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 90_000;
const LINES = 5000;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the operator, on the machine of the coordinators. */
function operate(cluster: Cluster, line: string): Promise<Ran> {
  const env = {
    ...COMPILE_CACHE,
    PATH: programPath(),
    ELASTIC_ETCD: cluster.etcd.endpoint,
    ELASTIC_SECRETS_KEY_FILE: secretsKeyFile(cluster.folder),
  };
  const args = [inRepository("coordinator", "main.ts"), ...line.split(" ")];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: COMMAND_TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}

async function step(cluster: Cluster, line: string): Promise<void> {
  expect(await operate(cluster, line)).toMatchObject({ code: 0 });
}

/** An agent that joined by a pasted line, linked. */
async function enrolledAgent(cluster: Cluster, node: string, enroll: string): Promise<Part<AgentStarted>> {
  const place = { etcd: [cluster.etcd.endpoint], path: programPath() };
  const stateDir = join(cluster.folder, `${node}-state`);
  await enrollAgent(await joinLine(place, { enroll, ttl: "10m", node }), { stateDir, path: programPath() });
  const part = await startPart<AgentStarted>({
    program: () =>
      agentProgram({
        name: node,
        coordinators: [],
        tls: null,
        stateDir,
        engineSocket: null,
        metricsPort: 0,
        logFile: join(cluster.folder, `${node}.log`),
        path: programPath(),
        settings: { ELASTIC_BUILTIN_TEST_PROVERS: "1", ELASTIC_SLOTS: "2" },
      }),
    becomesReady: (child) => agentReady(child, START_TIMEOUT_MS),
  });
  await part.child().line(lineWithMessage("linked"), START_TIMEOUT_MS);
  return part;
}

async function enrollAddress(coordinator: Coordinator): Promise<string> {
  const text = (line: string) => /"enroll":"([^"]+)"/.exec(line)?.[1];
  return await coordinator.child().line(text, START_TIMEOUT_MS);
}

/** Has every image, so that a deployment with an environment is made; nobody pulls it. */
async function startImages(): Promise<AsyncDisposable & { readonly host: string }> {
  const digest = `sha256:${"0".repeat(64)}`;
  const server = createServer((_, response) => response.writeHead(200, { "docker-content-digest": digest }).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, [Symbol.asyncDispose]: async () => void server.close() };
}

test("the master key and the node authority are rotated under tasks and restarts, and nothing is lost", async () => {
  await using images = await startImages();
  const coordinatorSettings = { ...OWN_AUTHORITY, ...ALLOW_RECEIVERS, ELASTIC_REGISTRIES: `http://${images.host}` };
  await using cluster = await startCluster({ coordinators: 2, agents: 0, coordinatorSettings });
  const [one, two] = cluster.coordinators;
  if (one === undefined || two === undefined) throw new Error("two coordinators were started");
  const enroll = await enrollAddress(one);
  await using first = await enrolledAgent(cluster, "gpu-1", enroll);
  await using second = await enrolledAgent(cluster, "gpu-2", enroll);
  const client = cluster.client(one);
  const service = await client.readyService("sleep", { image: "builtin:sleep", scaling: { min: 2, max: 2 } });
  const { service_id: withEnv } = await client.createService("with-env");
  await client.deploy(withEnv, { image: `${images.host}/prover:1`, env: { TOKEN: "hunter2" } });
  await using receiver = await receiverOf(client, service.service_id, (_, response) => response.writeHead(204).end());
  const oldFile = readFileSync(secretsKeyFile(cluster.folder), "utf8");

  let isDone = false;
  const proving = proveAt(client, service, () => isDone);
  await Promise.all([step(cluster, "secrets stage"), step(cluster, "authority stage")]);
  await two.kill();
  await two.start();
  await Promise.all([step(cluster, "secrets promote"), step(cluster, "authority promote")]);
  await first.kill();
  await first.start();
  expect(await operate(cluster, "secrets retire --now")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/still sealed.*Nothing was changed/),
  });
  await step(cluster, "secrets reseal");
  await expect.poll(() => operate(cluster, "authority retire"), { timeout: 90_000 }).toMatchObject({ code: 0 });
  await step(cluster, "secrets retire --now");
  isDone = true;
  const { succeeded, failed } = await proving;

  expect(failed).toEqual([]);
  expect(succeeded).toBeGreaterThan(20);
  const [line, ...others] = readFileSync(secretsKeyFile(cluster.folder), "utf8").trim().split("\n");
  expect(others).toEqual([]);
  expect(oldFile).not.toContain(line);
  // What the old key sealed opens at a coordinator that never had it, and the webhook's secret still signs.
  await two.stop();
  await two.start();
  const shown = await cluster.client(two).call(`/v1/services/${withEnv}/deployments`);
  expect(shown.text).toContain("TOKEN");
  const last = await cluster.client(two).prove(service.service_id, '{"ms":1}');
  await expect.poll(() => receiver.received().map(({ taskId }) => taskId), { timeout: 20_000 }).toContain(last.task_id);
  // The agent that was not restarted lost no link but the one to the coordinator that was.
  const lost = second
    .child()
    .tail(LINES)
    .split("\n")
    .filter((text) => text.includes("link lost"));
  expect(lost.filter((text) => !text.includes(two.grpc))).toEqual([]);
});
