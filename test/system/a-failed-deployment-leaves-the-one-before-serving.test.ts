import Docker from "dockerode";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ApiClient, NewDeployment } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { type OwnEngine, startOwnEngine, whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();

const MIB = 1024 * 1024;
const RESOURCES = { memory_bytes: 64 * MIB, pids: 32, cpu_millis: 1000, tmp_bytes: 8 * MIB };
const LIMITS = { start_timeout_seconds: 60 };

interface DeploymentRecord {
  readonly deployment_id: string;
  readonly state: string;
  readonly stage: string;
  readonly stage_note: string | null;
  readonly image: string;
  readonly rollback_of: string | null;
  readonly failure: { readonly stage: string; readonly reason: string; readonly log_tail: string } | null;
}

let cluster: Cluster;
let engine: OwnEngine;
let client: ApiClient;
let image: string;

beforeAll(async () => {
  if (noEngine !== null) return;
  // One that others use has the image's layers already, and pulls none.
  engine = await startOwnEngine();
  cluster = await startCluster({ engine, agentSettings: { ELASTIC_SLOTS: "3" } });
  client = cluster.client();
  image = await cluster.publish("misbehave");
});
afterEach(() => client?.deleteServices());
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

function misbehaving(mode: string, more: Partial<NewDeployment> = {}): NewDeployment {
  return { image, env: { MISBEHAVE: mode }, resources: RESOURCES, limits: LIMITS, ...more };
}

async function read(serviceId: string, deploymentId: string): Promise<DeploymentRecord> {
  return (await client.call(`/v1/services/${serviceId}/deployments/${deploymentId}`)).json as DeploymentRecord;
}

interface ReceivedEvent {
  readonly type: string;
  readonly bytes: number | null;
}

/** The events until the roll-out ended. */
async function follow(serviceId: string, deploymentId: string): Promise<readonly ReceivedEvent[]> {
  const response = await client.call(`/v1/services/${serviceId}/deployments/${deploymentId}/events`);
  return [...response.text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as ReceivedEvent);
}

/** So that the node has to pull it from the registry. */
async function forgetImage(): Promise<void> {
  const docker = new Docker({ socketPath: engine.socket });
  const { RepoDigests } = await docker.getImage(image).inspect();
  for (const name of [image, ...RepoDigests]) {
    await docker
      .getImage(name)
      .remove({ force: true })
      .catch(() => undefined);
  }
}

test.skipIf(noEngine !== null)("reports each stage of a roll-out as it comes, with the bytes of the pull", async () => {
  await forgetImage();
  const { service_id: id } = await client.createService("staged");
  const deployment = await client.deploy(id, misbehaving("echo"));
  const events = await follow(id, deployment);
  const stages = ["received", "resolved", "placed", "pulling", "pulled", "started", "healthy", "ready"];
  expect(events.map(({ type }) => type).filter((type) => type !== "deployment.progress")).toEqual(
    stages.map((stage) => `deployment.${stage}`),
  );
  expect(events.find(({ type }) => type === "deployment.pulled")?.bytes).toBeGreaterThan(100_000);
  expect(await read(id, deployment)).toMatchObject({ state: "Ready", stage: "ready", failure: null });
});

test.skipIf(noEngine !== null)(
  "reports stage, reason and log of a second deployment that fails, and the first continues to serve",
  async () => {
    const { service_id: id } = await client.readyService("stays", misbehaving("echo"));
    const cases = [
      { deployment: misbehaving("exit"), stage: "checking", reason: "prover_error", log: "exiting at once" },
      {
        deployment: misbehaving("never-listen", { limits: { start_timeout_seconds: 2 } }),
        stage: "checking",
        reason: "start_timeout",
        log: "",
      },
    ];
    for (const { deployment, stage, reason, log } of cases) {
      const bad = await client.deploy(id, deployment);
      expect((await follow(id, bad)).at(-1)?.type).toBe("deployment.failed");
      const record = await read(id, bad);
      expect(record).toMatchObject({ state: "Failed", stage: "failed", failure: { stage, reason } });
      expect(record.failure?.log_tail).toContain(log);
      expect((await client.service(id)).state).toBe("Ready");
      expect((await client.prove(id, '"still"')).result).toBe("still");
    }
  },
);

test.skipIf(noEngine !== null)("states at once what an unschedulable deployment waits for", async () => {
  const { service_id: id } = await client.createService("large");
  const deployment = await client.deploy(id, misbehaving("echo", { resources: { ...RESOURCES, gpu_count: 1 } }));
  await expect
    .poll(() => read(id, deployment), { timeout: 5_000 })
    .toMatchObject({
      state: "Unready",
      stage: "waiting",
      stage_note: expect.stringMatching(/^no machine of the fleet has 1 GPU of any model/),
    });
});

test.skipIf(noEngine !== null)("a rollback serves the digest, and the environment, of before", async () => {
  const { service_id: id } = await client.createService("rolls-back");
  const first = await client.deploy(id, misbehaving("echo"));
  await client.serviceIs(id, "Ready");
  const second = await client.deploy(id, { image: "builtin:noop" });
  await expect.poll(async () => (await read(id, second)).state, { timeout: 90_000 }).toBe("Ready");
  expect((await client.prove(id, '"now"')).result).not.toBe("now");

  const headers = { "content-type": "application/json" };
  const response = await client.call(`/v1/services/${id}/rollback`, { method: "POST", body: "{}", headers });
  expect(response.status).toBe(201);
  const { deployment_id: third, image: digest } = response.json as DeploymentRecord;
  await expect.poll(async () => (await read(id, third)).state, { timeout: 90_000 }).toBe("Ready");
  expect((await client.prove(id, '"then"')).result).toBe("then");
  expect(await read(id, third)).toMatchObject({ rollback_of: first, image: (await read(id, first)).image });
  expect(digest).toMatch(/misbehave@sha256:[0-9a-f]{64}$/);
  expect((await read(id, second)).state).toBe("Retired");
});
