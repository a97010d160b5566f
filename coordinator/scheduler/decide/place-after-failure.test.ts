import { describe, expect, test } from "vitest";
import type { Assignment } from "../../domain/assignment.ts";
import { claim } from "../../domain/task.ts";
import { aNode, aTask, aWorkload } from "../../domain/testing/records.ts";
import { entryOf, place, serving } from "../testing/place-steps.ts";
import { versioned } from "../testing/view-of.ts";
import type { SchedulerView } from "../view/scheduler-view.ts";
import { decidePlacement } from "./decide-placement.ts";

describe("what failed to start", () => {
  const failure = { step: "starting", reason: "gpu_fault", message: "m", exitCode: null, logTail: "" } as const;

  function failedOnce() {
    const made = serving(
      ["a"],
      { scaling: { min: 1 } },
      { nodes: [aNode("a", { slots: 9 }), aNode("b", { slots: 1 })] },
    );
    const assignment = made.assignments[0] as Assignment;
    view(made).putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "starting" })), 0);
    view(made).putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "failed", failure })), 0);
    return made;
  }
  const view = (made: { view: SchedulerView }) => made.view;

  test("is tried again after a while, on another node first", () => {
    const made = failedOnce();
    expect(place(made.view, made.service, 499)).toEqual([]);
    expect(place(made.view, made.service, 500)).toEqual(["remove on a", "assign to b"]);
  });

  test("waits twice as long after each failure, up to a minute", () => {
    const made = failedOnce();
    const assignment = made.assignments[0] as Assignment;
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      waits.push(made.view.failuresOf(made.deployment.id)?.retryAtMs ?? 0);
      made.view.putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "starting" })), 0);
      made.view.putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "failed", failure })), 0);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test("after it had served is started again at once", () => {
    const made = serving(["a"], { scaling: { min: 1 } });
    const assignment = made.assignments[0] as Assignment;
    const task = claim(aTask(made.service), { nodeId: "a", sessionId: "s", assignmentId: assignment.id }, 0);
    made.view.putTask(task.id, versioned(task), 0, 0);
    made.view.putTask(task.id, undefined, 1, 1);
    made.view.putWorkload(assignment.id, versioned(aWorkload(assignment, { phase: "failed", failure })), 1);
    expect(place(made.view, made.service, 1)).toEqual(["remove on a", "assign to a"]);
  });

  test("without a report of its agent fails after the start budget and a minute", () => {
    const { view, service, assignments } = serving(["a"], { scaling: { min: 1 } });
    view.putWorkload(assignments[0]?.id ?? "", undefined, 0);
    expect(place(view, service, 120_000)).toEqual([]);
    const entry = entryOf(view, service);
    const step = decidePlacement(view, entry, { now: 0, nowMs: 120_001 });
    expect(step).toMatchObject({ kind: "give_up", failure: { reason: "start_timeout" } });
  });
});
