import { expect, test } from "vitest";
import { type Fleet, type Measured, rowsOf } from "./rows.ts";

const MiB = 2 ** 20;
const bare: Measured = {
  memoryBeforeBytes: 100 * MiB,
  first: { seconds: 5, cpuSeconds: 1, dialsPerSecondMax: 300 },
  rest: { cpuCores: 0.05, memoryBytes: 200 * MiB, p50Ms: 1, p99Ms: 4, heartbeats: 20_000 },
  back: { seconds: 3, cpuSeconds: 1, dialsPerSecondMax: 100 },
};
const fleet: Fleet = {
  ...bare,
  agents: 1_000,
  coordinators: 2,
  rest: { ...bare.rest, cpuCores: 0.1, memoryBytes: 300 * MiB },
  back: { ...bare.back, seconds: 15, fenced: 0 },
  writes: { atRest: 0, back: 20 },
  lost: { first: 0, back: 1 },
  written: [],
};

test("compares with the bare server, and has the goals: CPU for 2,000 agents, 30 s, no write and no node lost", () => {
  const rows = rowsOf(fleet, bare);
  expect(rows[0]).toMatchObject({ name: "memory for each link, at rest", ours: 204.8, peer: 102.4, ratio: 0.5 });
  const withGoal = rows.filter(({ goal }) => goal !== null);
  expect(withGoal.map(({ name, ratio, goal }) => [name, ratio, goal && Number(goal.toPrecision(4))])).toEqual([
    ["CPU at rest", 0.5, 0.3333],
    ["killed: until all are linked again", 0.2, 0.1],
    ["heartbeats at rest for which nothing is written to etcd", 1, 1],
    ["killed: nodes that are not lost", 0.999, 1],
    ["all nodes link for the first time: nodes that are not lost", 1, 1],
  ]);
});
