/** The parts of a cluster, what breaks each and mends it again, and what each holds. */
import { readdirSync } from "node:fs";
import type { Cluster } from "../../cluster/cluster.ts";
import { type Inspector, inspectorOf } from "../../cluster/inspector.ts";
import type { Part } from "../../cluster/part.ts";
import { residentBytes } from "../../cluster/resident-memory.ts";

const MIB = 2 ** 20;

interface Held {
  readonly part: string;
  readonly residentMiB: number;
  readonly descriptors: number;
}

export interface Fleet {
  readonly etcd: Part<unknown>;
  readonly coordinators: readonly Part<unknown>[];
  readonly agents: readonly Part<unknown>[];
  kill(part: Part<unknown>): Promise<void>;
  start(part: Part<unknown>): Promise<void>;
  /** Reports of attempts that were no longer current, over all processes; of those that were killed, up to then. */
  staleReports(): Promise<number>;
  /** Ended tasks that have not moved to the archive yet. */
  liveEnded(): Promise<number>;
  /** Once the garbage is collected. */
  held(): Promise<readonly Held[]>;
}

export async function fleetOf(cluster: Cluster): Promise<Fleet> {
  const { etcd, coordinators, agents } = cluster;
  const inspectors = new Map<Part<unknown>, Inspector>();
  const inspect = async (part: Part<unknown>) => void inspectors.set(part, await inspectorOf(part.child()));
  for (const part of [...coordinators, ...agents]) await inspect(part);
  let staleOfKilled = 0;
  const staleOf = (url: string) => metric(url, /^elastic_attempt_reports_stale_total (\d+)$/m);
  return {
    etcd,
    coordinators,
    agents,
    async kill(part) {
      const coordinator = coordinators.find((one) => one === part);
      if (coordinator !== undefined) staleOfKilled += await staleOf(coordinator.metricsUrl);
      await part.kill();
    },
    async start(part) {
      await part.start();
      if (part !== etcd) await inspect(part);
    },
    async staleReports() {
      const ofRunning = await Promise.all(coordinators.map(({ metricsUrl }) => staleOf(metricsUrl)));
      return ofRunning.reduce((sum, value) => sum + value, staleOfKilled);
    },
    async liveEnded() {
      const live = coordinators.map(({ metricsUrl }) => metric(metricsUrl, /^elastic_live_ended_tasks (\d+)$/m));
      return Math.max(...(await Promise.all(live)));
    },
    async held() {
      const held: Held[] = [];
      for (const part of [etcd, ...coordinators, ...agents]) {
        await inspectors.get(part)?.collectGarbage();
        await inspectors.get(part)?.trimMemory();
        const { pid } = part.child();
        const residentMiB = Math.round(residentBytes(pid) / MIB);
        held.push({ part: part.name, residentMiB, descriptors: readdirSync(`/proc/${pid}/fd`).length });
      }
      return held;
    },
  };
}

/** 0 where the process does not respond. */
async function metric(url: string, pattern: RegExp): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  return Number(pattern.exec((await response?.text()) ?? "")?.[1] ?? 0);
}
