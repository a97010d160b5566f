/** What so many links cost a server, at rest and when all of them come back at once. */
import { setTimeout as delay } from "node:timers/promises";
import { until } from "@elastic/deploy/local/until.ts";
import { percentile } from "../measure/statistics.ts";
import { type Cost, costOf, cpuShare } from "./process-cost.ts";
import type { SimulatedAgents } from "./simulated-agents.ts";

const LINKED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 100;
/** What connecting has left behind is collected meanwhile. */
const SETTLES_MS = 10_000;

export interface Server {
  readonly grpc: string;
  child(): { readonly pid: number };
  kill(): Promise<void>;
  start(): Promise<unknown>;
}

export interface AtRest {
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly heartbeats: number;
}

export interface Linking {
  readonly seconds: number;
  /** Of the server, until all are linked. */
  readonly cpuSeconds: number;
  readonly dialsPerSecondMax: number;
}

export async function untilLinked(
  agents: SimulatedAgents,
  servers: readonly Server[],
  count: number,
): Promise<Linking> {
  const began = performance.now();
  const before = servers.map(({ child }) => costOf(child().pid));
  const dialed = new Map<number, number>();
  await until(
    "all agents to be linked",
    async () => {
      const { up, dials } = await agents.report();
      for (const [second, begun] of dials) dialed.set(second, begun + (dialed.get(second) ?? 0));
      return servers.every(({ grpc }) => up[grpc] === count) || undefined;
    },
    { timeoutMs: LINKED_WITHIN_MS, everyMs: LOOK_EVERY_MS },
  );
  const cpuSeconds = sum(
    servers.map(({ child }, at) => costOf(child().pid).cpuSeconds - (before[at]?.cpuSeconds ?? 0)),
  );
  return { seconds: (performance.now() - began) / 1000, cpuSeconds, dialsPerSecondMax: Math.max(...dialed.values()) };
}

/** Of each server. */
export async function measureAtRest(
  agents: SimulatedAgents,
  servers: readonly Server[],
  seconds: number,
  onRest: () => Promise<void> = async () => undefined,
): Promise<readonly AtRest[]> {
  await delay(SETTLES_MS);
  await onRest();
  await agents.report();
  const before = servers.map(({ child }) => costOf(child().pid));
  await delay(seconds * 1000);
  const { roundTripsMs } = await agents.report();
  await onRest();
  return servers.map(({ child }, at) => {
    const after = costOf(child().pid);
    return {
      cpuCores: cpuShare(before[at] as Cost, after),
      memoryBytes: after.memoryBytes,
      p50Ms: percentile(roundTripsMs, 0.5),
      p99Ms: percentile(roundTripsMs, 0.99),
      heartbeats: roundTripsMs.length / servers.length,
    };
  });
}

/** SIGKILL, and a start again. From the moment on at which it listens again. */
export async function measureReturn(
  agents: SimulatedAgents,
  killed: Server,
  count: number,
): Promise<Linking & { readonly fenced: number }> {
  const { fenced: before } = await agents.report();
  await killed.kill();
  await killed.start();
  await agents.report();
  const linking = await untilLinked(agents, [killed], count);
  const { fenced } = await agents.report();
  return { ...linking, fenced: fenced - before };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
