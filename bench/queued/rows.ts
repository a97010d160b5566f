/** What was measured of a backlog, as rows and in words. */
import { availableParallelism } from "node:os";
import { lessIsBetter, moreIsBetter, type Row } from "../benchmark/row.ts";
import { median, percentile } from "../measure/statistics.ts";
import type { Backlog, Size } from "./measure-backlog.ts";

const LIMIT_MIB = 1536;
const LIMIT_S = 30;
const SLOWDOWN_MAX = 1.5;

export function rowsOf(size: Size, { creates, lists, mib, ...of }: Backlog): readonly Row[] {
  const common = { size: sizeOf(size), threads: availableParallelism() };
  const create = { ...common, unit: "ms", peer: p95(creates.idle), peer_name: "the same, idle" };
  const list = { ...common, unit: "ms", peer: p95(lists.empty), peer_name: "an empty one" };
  const limit = { ...common, peer_name: "the limit", goal: 1 };
  const cancel = { ...common, unit: "tasks/s", peer: 1_000, peer_name: "a request a second" };
  return [
    lessIsBetter({ ...limit, name: "memory of a coordinator", unit: "MiB", ours: mib.full, peer: LIMIT_MIB }),
    lessIsBetter({ ...limit, name: "restart", unit: "s", ours: of.restartS, peer: LIMIT_S }),
    lessIsBetter({ ...limit, name: "take-over", unit: "s", ours: of.takeOverS, peer: LIMIT_S }),
    lessIsBetter({ ...create, name: "another team's create, p95", ours: p95(creates.full), goal: 1 / SLOWDOWN_MAX }),
    lessIsBetter({
      ...create,
      name: "another team's create during a bulk cancel, p95",
      ours: p95(creates.duringCancel),
    }),
    lessIsBetter({ ...list, name: "list, p95", ours: p95(lists.newest) }),
    lessIsBetter({ ...list, name: "list from the middle, p95", ours: p95(lists.middle) }),
    moreIsBetter({ ...cancel, name: "bulk cancel", ours: of.cancelledPerSecond }),
  ];
}

export function noteOf(size: Size, { creates, mib }: Backlog): string {
  const { idle, full, duringCancel } = creates;
  return `${sizeOf(size)}: a coordinator had ${mib.empty.toFixed(0)} MiB before, etcd ${mib.etcd.toFixed(0)} MiB in use after; create idle ${shown(idle)}, full ${shown(full)}, during the cancel ${shown(duringCancel)}.`;
}

export function shown(times: readonly number[]): string {
  return `p50 ${median(times).toFixed(1)}, p95 ${p95(times).toFixed(1)}, longest ${Math.max(...times).toFixed(0)} ms`;
}

function p95(times: readonly number[]): number {
  return percentile(times, 0.95);
}

function sizeOf({ tasks, services }: Size): string {
  return `${tasks} tasks in ${services} service${services === 1 ? "" : "s"}`;
}
