import { randomBytes } from "node:crypto";
import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, apiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { addTeam } from "../cluster/second-team.ts";
import { uploadVolume } from "../cluster/upload-volume.ts";

const noEngine = await whyNoEngineHere();

const MIB = 1024 * 1024;
const RESOURCES = { memory_bytes: 64 * MIB, pids: 32, cpu_millis: 1000, tmp_bytes: 8 * MIB };

/** What the misbehave image reports of /data; see provers/misbehave/src/data.rs. */
interface Report {
  readonly files: Readonly<
    Record<string, { readonly text: string; readonly bytes: number; readonly writable: boolean }>
  >;
  readonly writable: boolean;
}

let cluster: Cluster;
let client: ApiClient;
let image: string;

beforeAll(async () => {
  if (noEngine !== null) return;
  cluster = await startCluster({ engine: true, agentSettings: { ELASTIC_SLOTS: "4" } });
  client = cluster.client();
  image = await cluster.publish("misbehave");
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

async function fetchedBytes(): Promise<number> {
  const [coordinator] = cluster.coordinators;
  const text = await (await fetch(`${coordinator?.metricsUrl}`)).text();
  return Number(/^elastic_volumes_fetched_bytes_total (\d+)/m.exec(text)?.[1] ?? 0);
}

async function reportOf(serviceId: string): Promise<Report> {
  const task = await client.prove(serviceId, "{}");
  expect(task.failure).toBe(null);
  return JSON.parse(task.result ?? "");
}

test.skipIf(noEngine !== null)(
  "a prover finds the files of its volume at /data, cannot change them, and the node fetches them once",
  async () => {
    const srs = randomBytes(5 * MIB);
    const volumeId = await uploadVolume(client, "keys", { "a.key": "proving key", "srs/k20.bin": srs, empty: "" });
    const deployment = { image, env: { MISBEHAVE: "data" }, resources: RESOURCES, volume_id: volumeId };
    const { service_id: first } = await client.readyService("reads", deployment);
    const report = await reportOf(first);
    expect(Object.keys(report.files).sort()).toEqual(["a.key", "empty", "srs/k20.bin"]);
    expect(report.files["a.key"]).toEqual({ text: "proving key", bytes: 11, writable: false });
    expect(report.files["srs/k20.bin"]).toMatchObject({ bytes: srs.length, writable: false });
    expect(report.writable).toBe(false);
    expect((await reportOf(first)).files).toEqual(report.files);

    const fetched = await fetchedBytes();
    expect(fetched).toBeGreaterThanOrEqual(srs.length + 11);
    const { service_id: second } = await client.readyService("reads-too", deployment);
    expect(await reportOf(second)).toEqual(report);
    expect(await fetchedBytes()).toBe(fetched);
    await client.deleteServices();
  },
);

test.skipIf(noEngine !== null)(
  "a volume that is deployed stays over a kill of the agent, and is taken over",
  async () => {
    const volumeId = await uploadVolume(client, "kept", { key: "kept over a kill" });
    const deployment = { image, env: { MISBEHAVE: "data" }, resources: RESOURCES, volume_id: volumeId };
    const { service_id: id } = await client.readyService("kept", deployment);
    const [agent] = cluster.agents;
    if (agent === undefined) throw new Error("the cluster has an agent");
    const running = async () => (await containersOf(cluster.engine?.socket ?? "", agent.nodeId)).map(({ Id }) => Id);
    const before = await running();
    await agent.kill();
    await agent.start();
    expect((await reportOf(id)).files).toEqual({ key: { text: "kept over a kill", bytes: 16, writable: false } });
    expect([before.length, await running()]).toEqual([1, before]);
    await client.deleteServices();
  },
);

test.skipIf(noEngine !== null)("another team's volume is as unknown as one that does not exist", async () => {
  const volumeId = await uploadVolume(client, "secret", { key: "theirs" });
  const other = await addTeam(cluster.etcd.endpoint, "others");
  const otherTeam = apiClient({ url: client.url, key: other.key });
  const responsesFor = async (id: string) => {
    const read = await otherTeam.call(`/v1/volumes/${id}`);
    const deleted = await otherTeam.call(`/v1/volumes/${id}`, { method: "DELETE" });
    return [read, deleted].map(({ status, json }) => [status, (json as { detail: string }).detail]);
  };
  const unknown = await responsesFor("0".repeat(32));
  expect(await responsesFor(volumeId)).toEqual(unknown);
  expect(unknown.map(([status]) => status)).toEqual([404, 404]);
  expect((await otherTeam.call("/v1/volumes")).json).toMatchObject({ items: [], total: 0 });
  expect((await client.call(`/v1/volumes/${volumeId}`)).status).toBe(200);
});
