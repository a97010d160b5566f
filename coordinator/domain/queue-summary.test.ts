import { expect, test } from "vitest";
import { queuesByService } from "./queue-summary.ts";
import type { Task } from "./task.ts";

function task(serviceId: string, createdAt: number, kind: "queued" | "running"): Task {
  return { serviceId, teamId: "team", createdAt, phase: { kind } } as Task;
}

test("counts what waits and runs of each service, the longest wait first", () => {
  const tasks = [task("idle", 1, "running"), task("b", 9, "queued"), task("a", 5, "queued"), task("b", 7, "queued")];
  const queues = queuesByService([...tasks, task("b", 2, "running")]);
  expect(
    queues.map(({ serviceId, queued, running, oldestQueuedAt }) => [serviceId, queued, running, oldestQueuedAt]),
  ).toEqual([
    ["a", 1, 0, 5],
    ["b", 2, 1, 7],
    ["idle", 0, 1, null],
  ]);
});
