import { describe, expect, test } from "vitest";
import { claim } from "../../domain/task.ts";
import { aNode, aReadyService, aTask } from "../../domain/testing/records.ts";
import { addTasks, place, serving } from "../testing/place-steps.ts";
import { versioned, viewOf } from "../testing/view-of.ts";

describe("how many", () => {
  test.each([
    { open: 0, min: 0, max: 5, concurrency: 1, wanted: 0 },
    { open: 0, min: 2, max: 5, concurrency: 1, wanted: 2 },
    { open: 3, min: 0, max: 5, concurrency: 1, wanted: 3 },
    { open: 3, min: 0, max: 5, concurrency: 2, wanted: 2 },
    { open: 100, min: 0, max: 5, concurrency: 1, wanted: 5 },
  ])("$open open tasks, $min to $max workloads of $concurrency: $wanted", ({ open, min, max, concurrency, wanted }) => {
    const { service, deployment } = aReadyService({ scaling: { min, max }, limits: { concurrency } });
    const view = viewOf({ services: [service], deployments: [deployment], nodes: [aNode("a", { slots: 8 })] });
    addTasks(view, service, open);
    expect(place(view, service)).toHaveLength(wanted);
  });

  test("an idle workload ends after its idle time, the longest idle first, down to what is wanted", () => {
    const { view, service, assignments } = serving(["a", "b", "c"], {
      scaling: { min: 1, max: 3, idleTimeoutMs: 5_000 },
    });
    const [first] = assignments;
    const entry = view.assignments.get(first?.id ?? "");
    if (entry !== undefined) entry.idleSinceMs = 3_000;
    expect(place(view, service, 4_999)).toEqual([]);
    expect(place(view, service, 5_000)).toEqual(["remove on b", "remove on c"]);
  });

  test("a workload that works does not end", () => {
    const { view, service, assignments } = serving(["a"], { scaling: { min: 0, max: 1, idleTimeoutMs: 10 } });
    const on = { nodeId: "a", sessionId: "s", assignmentId: assignments[0]?.id ?? "" };
    const task = claim(aTask(service), on, 0);
    view.putTask(task.id, versioned(task), 0, 0);
    expect(place(view, service, 100_000)).toEqual([]);
    view.putTask(task.id, undefined, 100_000, 100_000);
    expect(place(view, service, 100_000)).toEqual([]);
    expect(place(view, service, 100_010)).toEqual(["remove on a"]);
  });
});
