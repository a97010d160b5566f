import { expect, test } from "vitest";
import type { Costs } from "./compare.ts";
import { type Measured, notSustained, rowsOf } from "./rows.ts";

const cpu = { all: 4, withoutClient: 3, of: {} };
const rounds = (...rates: readonly number[]): Costs =>
  rates.map((tasksPerSecond) => ({ tasks: 3, tasksPerSecond, startMs: [1, 2, 40], doneMs: [2, 4, 80], cpu }));

const queues = {
  elastic: rounds(3000, 1, 2000),
  bullmq: rounds(1000, 1000, 9000),
  "graphile-worker": rounds(500, 500, 500),
  "bullmq behind fastify": rounds(2500),
  temporal: rounds(99),
};
const measured: Measured = {
  saturated: queues,
  rates: [100, 500].map((perSecond) => ({ perSecond, of: queues })),
  bullmqByWorker: rounds(1000),
  creates: rounds(6000),
  rawOneTask: rounds(5000),
  rawTenTasks: rounds(20_000),
};

test("compares medians over the rounds, and has the goals", () => {
  const withGoal = rowsOf(measured).filter(({ goal }) => goal !== null);
  expect(withGoal.map(({ name, size, peer_name, ratio, goal }) => [name, size, peer_name, ratio, goal])).toEqual([
    ["create to done", "no-op", "bullmq", 2, 1.5],
    ["create to done", "no-op", "graphile-worker", 4, 2],
    ["durable creates", "no-op", "etcd, ten tasks a transaction", 0.3, 0.25],
    ["create to start, p95", "100 tasks/s", "bullmq", 1, 0.5],
    ["create to start, p95", "500 tasks/s", "bullmq", 1, 0.5],
  ]);
});

test("has for each peer, losing rows included, throughput, latencies and CPU time at every load", () => {
  for (const peer of ["bullmq", "graphile-worker", "bullmq behind fastify", "temporal"]) {
    const rows = rowsOf(measured).filter(({ peer_name }) => peer_name === peer);
    const of = (name: string) => rows.filter((row) => row.name === name).map(({ size }) => size);
    expect(of("create to done")).toEqual(["no-op"]);
    expect(of("create to start, p50")).toEqual(["100 tasks/s", "500 tasks/s"]);
    expect(of("create to start, p95")).toEqual(["100 tasks/s", "500 tasks/s"]);
    expect(of("CPU a task, all processes")).toEqual(["saturated", "100 tasks/s", "500 tasks/s"]);
    expect(of("CPU a task, without the client")).toEqual(["saturated", "100 tasks/s", "500 tasks/s"]);
  }
  const lost = rowsOf(measured).find(
    (row) => row.name === "create to done" && row.peer_name === "bullmq behind fastify",
  );
  expect(lost?.ratio).toBe(0.8);
});

test("has of a peer that was not loaded at a rate what it does when saturated, and no times", () => {
  const [at100, at500] = measured.rates;
  if (at100 === undefined || at500 === undefined) throw new Error("two rates are measured");
  const unloaded = { ...measured, rates: [at100, { ...at500, of: { ...at500.of, temporal: [] } }] };
  const rows = rowsOf(unloaded).filter(({ peer_name, size }) => peer_name === "temporal" && size === "500 tasks/s");
  expect(rows.map(({ name, ours, peer }) => [name, ours, peer])).toEqual([["rate that was sustained", 2000, 99]]);
  expect(notSustained(unloaded)).toEqual([
    expect.stringMatching(/^temporal does not sustain 500.* it does 99, .*not loaded/),
  ]);
});

test("notes which contender does not sustain a rate, and what it did", () => {
  expect(notSustained(measured)).toEqual([
    "temporal does not sustain 500 tasks/s: it did 99, and its times at that rate are those of a queue that grows.",
  ]);
});
