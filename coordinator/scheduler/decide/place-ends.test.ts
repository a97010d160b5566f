import { newId } from "@elastic/std/ids.ts";
import { describe, expect, test } from "vitest";
import { deleted } from "../../domain/service.ts";
import { claim } from "../../domain/task.ts";
import {
  aDeployment,
  aGpu,
  aNode,
  anAssignment,
  aReadyService,
  aTask,
  aWorkload,
} from "../../domain/testing/records.ts";
import { place, serving } from "../testing/place-steps.ts";
import { versioned, viewOf } from "../testing/view-of.ts";
import { LOST_ASSIGNMENT_WAIT_MS } from "./decide-placement.ts";
import { isServing } from "./usable-workloads.ts";

describe("what ends", () => {
  test("everything of a service that was deleted", () => {
    const { view, service } = serving(["a", "b"], { scaling: { min: 2, max: 2 } });
    view.putService(service.id, versioned(deleted(service, 1)), 0);
    expect(place(view, service)).toEqual(["remove on a", "remove on b"]);
  });

  test("the workloads of a deployment that was replaced, once nothing runs on them", () => {
    const { view, service, assignments } = serving(["a"], { scaling: { min: 1 } });
    const on = { nodeId: "a", sessionId: "s", assignmentId: assignments[0]?.id ?? "" };
    const task = claim(aTask(service), on, 0);
    view.putTask(task.id, versioned(task), 0, 0);
    const newer = aDeployment({ id: newId(8), serviceId: service.id });
    view.putDeployment(newer.id, versioned(newer));
    view.putService(service.id, versioned({ ...service, currentDeploymentId: newer.id }), 0);
    expect(place(view, service)).not.toContain("remove on a");
    view.putTask(task.id, undefined, 0, 0);
    expect(place(view, service)).toContain("remove on a");
  });

  test("what has a GPU that became unhealthy, once nothing runs there, and another is placed elsewhere", () => {
    const { service, deployment } = aReadyService({ resources: { gpuCount: 1 }, scaling: { min: 1 } });
    const assignment = anAssignment(deployment, "a", { gpuUuids: ["1"] });
    const workloads = [aWorkload(assignment)];
    const nodes = [aNode("a", { gpus: [aGpu("1"), aGpu("2")], slots: 2 })];
    const view = viewOf({
      nodes,
      services: [service],
      deployments: [deployment],
      assignments: [assignment],
      workloads,
    });
    expect(place(view, service)).toEqual([]);
    const entry = view.assignments.get(assignment.id);
    expect(entry !== undefined && isServing(entry)).toBe(true);
    const ill = aGpu("1", { unhealthyReason: "the GPU fell off the bus (Xid 79)" });
    view.putNode("a", versioned(aNode("a", { gpus: [ill, aGpu("2")], slots: 2 })), 0);
    expect(entry !== undefined && isServing(entry)).toBe(false);
    expect(place(view, service)).toEqual(["remove on a", "assign to a 2"]);
  });

  test("what a draining node has, once nothing runs there", () => {
    const { view, service } = serving(
      ["a"],
      { scaling: { min: 1 } },
      { nodes: [aNode("a"), aNode("b", { slots: 0 })] },
    );
    view.putNode("a", versioned(aNode("a", { node: { state: "draining" } })), 0);
    expect(place(view, service)).toEqual(["remove on a", "unschedulable"]);
  });

  test("what a lost node had, but only when it stays away", () => {
    const { view, service } = serving(["a"], { scaling: { min: 1 } });
    view.putNode("a", versioned(aNode("a", { node: { state: "lost", since: 0 } })), 0);
    expect(place(view, service, LOST_ASSIGNMENT_WAIT_MS)).toEqual(["unschedulable"]);
    expect(place(view, service, LOST_ASSIGNMENT_WAIT_MS + 1)).toEqual(["remove on a", "unschedulable"]);
  });
});
