import { expect, test } from "vitest";
import { type Rounds, rowsOf } from "./rows.ts";

const rounds = (...rates: readonly number[]): Rounds =>
  rates.map((tasksPerSecond) => ({ tasksPerSecond, startMs: [1, 2, 40], doneMs: [2, 4, 80] }));

test("compares medians over the rounds, and has the goals", () => {
  const queues = {
    elastic: rounds(3000, 1, 2000),
    bullmq: rounds(1000, 1000, 9000),
    "graphile-worker": rounds(500, 500, 500),
  };
  const rows = rowsOf({
    saturated: queues,
    rates: [100, 500].map((perSecond) => ({ perSecond, of: queues })),
    bullmqByWorker: rounds(1000),
    creates: rounds(6000),
    rawOneTask: rounds(5000),
    rawTenTasks: rounds(20_000),
  });
  const withGoal = rows.filter(({ goal }) => goal !== null);
  expect(withGoal.map(({ name, size, peer_name, ratio, goal }) => [name, size, peer_name, ratio, goal])).toEqual([
    ["create to done", "no-op", "bullmq", 2, 1.5],
    ["create to done", "no-op", "graphile-worker", 4, 2],
    ["durable creates", "no-op", "etcd, ten tasks a transaction", 0.3, 0.25],
    ["create to start, p95", "100 tasks/s", "bullmq", 1, 0.5],
    ["create to start, p95", "500 tasks/s", "bullmq", 1, 0.5],
  ]);
});
