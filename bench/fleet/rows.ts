/** The rows of the results: what a coordinator costs with so many links, compared with the bare server of the same run. */
import { availableParallelism } from "node:os";
import { lessIsBetter, moreIsBetter, type Row } from "../benchmark/row.ts";
import type { AtRest, Linking } from "./measure-links.ts";

/** Of one kind of server: a coordinator, or the bare one. */
export interface Measured {
  readonly memoryBeforeBytes: number;
  readonly first: Linking;
  readonly rest: AtRest;
  readonly back: Linking;
}

export interface Fleet extends Measured {
  readonly coordinators: number;
  readonly agents: number;
  /** Transactions of etcd that wrote anything, at rest and while all came back. */
  readonly writes: { readonly atRest: number; readonly back: number };
  /** Nodes that were taken for dead, while all linked for the first time and while they came back. */
  readonly lost: { readonly first: number; readonly back: number };
  /** Keys of etcd, at rest. */
  readonly written: readonly string[];
  readonly back: Linking & { readonly fenced: number };
}

const BACK_WITHIN_S = 30;
/** Of one core, for 2,000 agents. */
const CPU_GOAL = { cores: 0.3, agents: 2_000 };

export function rowsOf(fleet: Fleet, bare: Measured): readonly Row[] {
  const { agents, coordinators, rest, writes, lost } = fleet;
  const size = `${agents} agents, ${coordinators} coordinator${coordinators === 1 ? "" : "s"}`;
  const common = { size, threads: availableParallelism(), peer_name: "bare grpc-js streams" };
  const less = (name: string, unit: string, ours: number, peer: number, goal?: number): Row =>
    lessIsBetter({ name, unit, ours, peer, ...common, ...(goal === undefined ? {} : { goal }) });
  const { heartbeats } = rest;
  return [
    less("memory for each link, at rest", "KiB", perLink(fleet, agents), perLink(bare, agents)),
    less("CPU at rest", "cores", rest.cpuCores, bare.rest.cpuCores, bare.rest.cpuCores / cpuGoal(agents)),
    less("heartbeat there and back, median", "ms", rest.p50Ms, bare.rest.p50Ms),
    less("heartbeat there and back, 99 of 100", "ms", rest.p99Ms, bare.rest.p99Ms),
    less("all nodes link for the first time", "s", fleet.first.seconds, bare.first.seconds),
    less(
      "killed: until all are linked again",
      "s",
      fleet.back.seconds,
      bare.back.seconds,
      bare.back.seconds / BACK_WITHIN_S,
    ),
    less("killed: CPU until all are linked again", "s", fleet.back.cpuSeconds, bare.back.cpuSeconds),
    less(
      "killed: most connections begun in a second",
      "connections",
      fleet.back.dialsPerSecondMax,
      bare.back.dialsPerSecondMax,
    ),
    moreIsBetter({
      ...common,
      name: "heartbeats at rest for which nothing is written to etcd",
      unit: "of 100",
      ours: 100 * (1 - Math.min(1, writes.atRest / heartbeats)),
      peer: 100,
      peer_name: "all of them",
      goal: 1,
    }),
    moreIsBetter({
      ...common,
      name: "killed: nodes that are not lost",
      unit: "nodes",
      ours: agents - lost.back,
      peer: agents,
      peer_name: "all of them",
      goal: 1,
    }),
    moreIsBetter({
      ...common,
      name: "all nodes link for the first time: nodes that are not lost",
      unit: "nodes",
      ours: agents - lost.first,
      peer: agents,
      peer_name: "all of them",
      goal: 1,
    }),
  ];
}

function perLink({ memoryBeforeBytes, rest }: Measured, agents: number): number {
  return (rest.memoryBytes - memoryBeforeBytes) / agents / 1024;
}

function cpuGoal(agents: number): number {
  return (CPU_GOAL.cores * agents) / CPU_GOAL.agents;
}
