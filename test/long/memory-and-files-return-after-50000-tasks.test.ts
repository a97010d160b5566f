/**
 * What a coordinator and an agent hold after their start and after many tasks and workloads: resident memory, open descriptors, and
 * files in their folders. Memory is compared with what it is after a warm-up: before the first tasks, code that every task needs
 * is not compiled; and clients' missed changes (coordinator/http/events/change-history.ts) are retained up to a number, which
 * 10,000 tasks of a team reach. Garbage is collected before each reading, and what the C library retains for the next peak is
 * returned to the system.
 */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Child } from "@elastic/deploy/local/child.ts";
import { expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { INSPECTED, type Inspector, inspectorOf } from "../cluster/inspector.ts";
import { residentBytes } from "../cluster/resident-memory.ts";

const WARM_UP = { tasks: 20_000, rounds: 10 };
const LOAD = { tasks: 50_000, rounds: 50 };
const WORKLOADS_PER_ROUND = 10;
const IN_FLIGHT_MAX = 200;
const RETURNS_WITHIN_MS = 300_000;
/** Next to the tasks, on a busy machine. */
const STARTED_WITHIN_MS = 300_000;
/** So that a round fits a small machine. */
const RESOURCES = { memory_bytes: 128 * 2 ** 20 };
const GROWTH_MAX = 1.1;
/** Workloads of the service that the tasks are for. */
const PROVING = 2;

interface Held {
  /** What the C library retains for the next peak included. */
  readonly untrimmedMiB: number;
  readonly residentMiB: number;
  readonly heapMiB: number;
  readonly descriptors: number;
  readonly files: number;
}

const PARTS = ["coordinator", "agent"] as const;
type PartName = (typeof PARTS)[number];
type Measured = Readonly<Record<PartName, Held>>;

test("memory, descriptors and files are back within a tenth after 50,000 tasks and 500 workloads", async () => {
  await using cluster = await startCluster({
    coordinatorSettings: { ...INSPECTED, ELASTIC_ARCHIVE_AFTER: "5" },
    agentSettings: { ...INSPECTED, ELASTIC_SLOTS: String(PROVING + WORKLOADS_PER_ROUND) },
  });
  const service = await cluster
    .client()
    .readyService("echo", { image: "builtin:echo", resources: RESOURCES, scaling: { min: PROVING, max: PROVING } });
  const parts = await partsOf(cluster);
  const started = await measure(parts);
  await load(cluster, service.service_id, WARM_UP);
  await settled(cluster);
  const warm = await measure(parts);
  const before = {
    coordinator: { ...started.coordinator, residentMiB: warm.coordinator.residentMiB },
    agent: { ...started.agent, residentMiB: warm.agent.residentMiB },
  };
  process.stdout.write(`${JSON.stringify({ started, warm })}\n`);
  await load(cluster, service.service_id, LOAD);
  await settled(cluster);
  let after = await measure(parts);
  const stillMore = async () => {
    after = await measure(parts);
    return excess(before, after);
  };
  try {
    await expect.poll(stillMore, { timeout: RETURNS_WITHIN_MS, interval: 2_000 }).toEqual([]);
  } finally {
    process.stdout.write(`${JSON.stringify({ after })}\n`);
    for (const name of PARTS) {
      if (after[name].residentMiB <= GROWTH_MAX * before[name].residentMiB) continue;
      const file = join(tmpdir(), `${name}-${process.pid}.heapsnapshot`);
      await parts[name].inspector.writeHeapSnapshot(file);
      process.stdout.write(`what holds the memory of the ${name}: ${file}\n`);
    }
  }
});

/** What of `after` is more than a tenth above `before`. */
function excess(before: Measured, after: Measured): readonly string[] {
  return PARTS.flatMap((part) =>
    (["residentMiB", "descriptors", "files"] as const)
      .filter((what) => after[part][what] > GROWTH_MAX * before[part][what])
      .map((what) => `${part} ${what}: ${before[part][what]}, then ${after[part][what]}`),
  );
}

interface MeasuredPart {
  readonly pid: number;
  readonly inspector: Inspector;
  /** Of its files. */
  readonly folder: string;
}

async function partsOf(cluster: Cluster): Promise<Readonly<Record<PartName, MeasuredPart>>> {
  const [coordinator] = cluster.coordinators;
  const [agent] = cluster.agents;
  if (coordinator === undefined || agent === undefined) throw new Error("the cluster has no coordinator or no agent");
  const part = async (child: Child, folder: string): Promise<MeasuredPart> => ({
    pid: child.pid,
    inspector: await inspectorOf(child),
    folder: join(cluster.folder, folder),
  });
  return {
    coordinator: await part(coordinator.child(), "blobs"),
    agent: await part(agent.child(), `${agent.name}-state`),
  };
}

async function measure(parts: Readonly<Record<PartName, MeasuredPart>>): Promise<Measured> {
  return { coordinator: await held(parts.coordinator), agent: await held(parts.agent) };
}

async function held({ pid, inspector, folder }: MeasuredPart): Promise<Held> {
  await inspector.collectGarbage();
  const untrimmedMiB = Math.round(residentBytes(pid) / 2 ** 20);
  await inspector.trimMemory();
  return {
    untrimmedMiB,
    residentMiB: Math.round(residentBytes(pid) / 2 ** 20),
    heapMiB: Math.round((await inspector.heapBytes()) / 2 ** 20),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    files: readdirSync(folder, { recursive: true }).length,
  };
}

interface Load {
  readonly tasks: number;
  readonly rounds: number;
}

/** Tasks and workloads at the same time. */
async function load(cluster: Cluster, serviceId: string, { tasks, rounds }: Load): Promise<void> {
  await Promise.all([prove(cluster, serviceId, tasks), scaleUpAndDown(cluster, `of-${tasks}-tasks`, rounds)]);
}

async function prove(cluster: Cluster, serviceId: string, tasks: number): Promise<void> {
  const { url, key } = cluster.client();
  const numbers = Array.from({ length: tasks }, (_, n) => n).values();
  const worker = async () => {
    for (const n of numbers) {
      // Not by the client of scenarios, which compares each response with the document: that takes longer than the task.
      const response = await fetch(`${url}/v1/services/${serviceId}?wait=20`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: `{"input":{"n":${n}}}`,
      });
      const { task_id, state } = (await response.json()) as { readonly task_id: string; readonly state: string };
      if (state === "SUCCESS") continue;
      expect((await cluster.client().ended(task_id)).state).toBe("SUCCESS");
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT_MAX }, worker));
}

async function scaleUpAndDown(cluster: Cluster, of: string, rounds: number): Promise<void> {
  const client = cluster.client();
  for (let round = 0; round < rounds; round += 1) {
    const scaling = { min: WORKLOADS_PER_ROUND, max: WORKLOADS_PER_ROUND };
    const { service_id } = await client.readyService(`${of}-${round}`, {
      image: "builtin:echo",
      resources: RESOURCES,
      scaling,
    });
    await expect.poll(() => workloads(cluster), { timeout: STARTED_WITHIN_MS }).toBe(PROVING + WORKLOADS_PER_ROUND);
    await client.call(`/v1/services/${service_id}`, { method: "DELETE" });
    await expect.poll(() => workloads(cluster), { timeout: STARTED_WITHIN_MS }).toBe(PROVING);
  }
}

/** Ready ones on the agent. */
async function workloads(cluster: Cluster): Promise<number> {
  return await metricOf(cluster.agents[0]?.metricsUrl(), /^elastic_agent_workloads\{phase="ready"\} (\d+)$/m);
}

/** All tasks have left etcd, and with it the coordinator's memory. */
async function settled(cluster: Cluster): Promise<void> {
  const live = () => metricOf(cluster.coordinators[0]?.metricsUrl, /^elastic_live_ended_tasks (\d+)$/m);
  await expect.poll(live, { timeout: RETURNS_WITHIN_MS, interval: 500 }).toBe(0);
}

async function metricOf(url: string | undefined, metric: RegExp): Promise<number> {
  const text = await (await fetch(url ?? "")).text();
  return Number(metric.exec(text)?.[1] ?? 0);
}
