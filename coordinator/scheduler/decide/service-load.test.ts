import { expect, test } from "vitest";
import { aNode, anAssignment, aReadyService, aTask, aWorkload } from "../../domain/testing/records.ts";
import { viewOf } from "../testing/view-of.ts";
import { serviceLoads } from "./service-load.ts";

const NOW = 1_800_000_000_000;

test("has the age of the oldest task that waits, whatever its priority, and what is held", () => {
  const { service, deployment } = aReadyService({ scaling: { min: 1 } });
  const idle = aReadyService({ scaling: { min: 0 } });
  const assignment = anAssignment(deployment, "node-a");
  const task = (ageMs: number, priority: number) => aTask(service, { createdAt: NOW - ageMs, priority });
  const view = viewOf({
    services: [service, idle.service],
    deployments: [deployment, idle.deployment],
    nodes: [aNode("node-a")],
    assignments: [assignment],
    workloads: [aWorkload(assignment)],
    tasks: [task(1_000, 5), task(9_000, 0), task(4_000, 0)],
  });
  const { id: serviceId, teamId } = service;
  const { slots } = assignment;
  expect([...serviceLoads(view.services.values(), NOW)]).toEqual([
    { serviceId, teamId, oldestMs: 9_000, queued: 3, running: 0, workloads: 1, slots },
  ]);
});
