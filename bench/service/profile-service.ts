/**
 * Where the time of a task goes: CPU by process, thread and layer, system calls and bytes, and the time from each stage of its
 * life to the next, under each load of the benchmark. CPU profiles are left for the developer tools of a browser.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Child } from "@elastic/deploy/local/child.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { startCluster } from "@elastic/test/cluster/cluster.ts";
import { inspectorAddress } from "@elastic/test/cluster/inspector.ts";
import type { Effort } from "../benchmark/benchmark.ts";
import type { LoadOrder } from "../measure/load.ts";
import { type LoadProcess, startLoadProcess } from "../measure/load-process.ts";
import { nowUs } from "../measure/now-us.ts";
import { processTree } from "../measure/process-tree.ts";
import { percentile } from "../measure/statistics.ts";
import { startCpuProfile } from "../profile/cpu-profiler.ts";
import { timeByLayer } from "../profile/layers.ts";
import { usageOf, used } from "../profile/process-usage.ts";
import type { LoadProfile } from "../profile/profile-text.ts";
import { type StageTime, stageSteps } from "../profile/stage-times.ts";
import { IN_FLIGHT, INPUT, WORKERS_AT_A_TIME } from "./contender.ts";
import type { ElasticLoadSettings } from "./elastic-load.ts";
import { loopDelay } from "./loop-delays.ts";

const WARM_UP_SECONDS = 6;
const PROFILES_FOLDER = inRepository("target", "profile");
const RECORD_STAGES = inRepository("bench", "profile", "record-stages.ts");

export async function profileService({ seconds }: Pick<Effort, "seconds">, log: (text: string) => void) {
  const stagesFolder = mkdtempSync(join(tmpdir(), "elastic-stages-"));
  try {
    const profiles = await underEachLoad(stagesFolder, seconds, log);
    const times = readdirSync(stagesFolder).flatMap(
      (file) => JSON.parse(readFileSync(join(stagesFolder, file), "utf8")) as readonly StageTime[],
    );
    return profiles.map(({ fromUs, toUs, ...profile }) => ({ ...profile, steps: stageSteps(times, fromUs, toUs) }));
  } finally {
    rmSync(stagesFolder, { recursive: true });
  }
}

type Measured = Omit<LoadProfile, "steps"> & { readonly fromUs: number; readonly toUs: number };

/** The stages are complete once the cluster has ended. */
async function underEachLoad(stagesFolder: string, seconds: number, log: (text: string) => void): Promise<Measured[]> {
  const profiled = { NODE_OPTIONS: `--inspect=127.0.0.1:0 --import=file://${RECORD_STAGES}?to=${stagesFolder}` };
  await using cluster = await startCluster({
    coordinatorSettings: profiled,
    agentSettings: { ...profiled, ELASTIC_SLOTS: "2" },
  });
  const [coordinator, agent] = [cluster.coordinators[0]?.child(), cluster.agents[0]?.child()];
  if (coordinator === undefined || agent === undefined) throw new Error("the cluster has no coordinator or agent");
  const inspected = { coordinator: await inspectorAddress(coordinator), agent: await inspectorAddress(agent) };
  const client = cluster.client();
  const limits = { concurrency: WORKERS_AT_A_TIME };
  const { service_id: serviceId } = await client.readyService("clock", { image: "builtin:clock", limits });
  const settings: ElasticLoadSettings = { url: client.url, key: client.key, serviceId, input: INPUT };
  const load = await startLoadProcess(inRepository("bench", "service", "elastic-load.ts"), settings);
  try {
    await load.run({ kind: "saturate", what: "task", inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS });
    const measured: Measured[] = [];
    for (const [name, order] of loadsOf(seconds)) {
      log(`Profiling: ${name}`);
      measured.push(
        await profileLoad(name, order, {
          load,
          inspected,
          coordinator,
          agent,
          etcd: cluster.etcd.child(),
          metricsUrl: cluster.coordinators[0]?.metricsUrl ?? "",
        }),
      );
    }
    return measured;
  } finally {
    await load.stop();
  }
}

function loadsOf(seconds: number): readonly (readonly [string, LoadOrder])[] {
  const rate = (perSecond: number): LoadOrder => ({ kind: "rate", what: "task", perSecond, seconds });
  return [
    ["saturated", { kind: "saturate", what: "task", inFlight: IN_FLIGHT, seconds }],
    ["500 tasks/s", rate(500)],
    ["100 tasks/s", rate(100)],
  ];
}

interface Parts {
  readonly metricsUrl: string;
  readonly load: LoadProcess;
  readonly inspected: Readonly<Record<"coordinator" | "agent", string>>;
  readonly coordinator: Child;
  readonly agent: Child;
  readonly etcd: Child;
}

async function profileLoad(name: string, order: LoadOrder, parts: Parts): Promise<Measured> {
  const { load, inspected, coordinator, agent, etcd, metricsUrl } = parts;
  const processes = {
    coordinator: [coordinator.pid],
    agent: [agent.pid],
    "builtin host": processTree(agent.pid).filter((pid) => pid !== agent.pid),
    etcd: [etcd.pid],
    "load client": [load.pid],
  };
  const profiling = {
    coordinator: await startCpuProfile(inspected.coordinator),
    agent: await startCpuProfile(inspected.agent),
  };
  const before = mapValues(processes, usageOf);
  await loopDelay(metricsUrl);
  const fromUs = nowUs();
  const report = await load.run(order);
  const toUs = nowUs();
  const delay = await loopDelay(metricsUrl);
  const usage = mapValues(processes, (pids, process) => used(before[process], usageOf(pids)));
  const layers = {
    coordinator: await layersOf(`${name}-coordinator`, profiling.coordinator.stop()),
    agent: await layersOf(`${name}-agent`, profiling.agent.stop()),
  };
  const startP95Ms = percentile(report.startMs, 0.95);
  const tasks = report.doneMs.length;
  return {
    name,
    tasks,
    tasksPerSecond: report.tasksPerSecond,
    startP95Ms,
    loopDelay: delay,
    usage,
    layers,
    fromUs,
    toUs,
  };
}

async function layersOf(name: string, stopping: ReturnType<Awaited<ReturnType<typeof startCpuProfile>>["stop"]>) {
  const profile = await stopping;
  mkdirSync(PROFILES_FOLDER, { recursive: true });
  writeFileSync(join(PROFILES_FOLDER, `${name.replace(/\W+/g, "-")}.cpuprofile`), JSON.stringify(profile));
  return timeByLayer(profile);
}

function mapValues<K extends string, V, W>(record: Readonly<Record<K, V>>, map: (value: V, key: K) => W): Record<K, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value as V, key as K)])) as Record<
    K,
    W
  >;
}
