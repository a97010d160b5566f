import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { claim } from "../domain/task.ts";
import { anAssignment, aReadyService, aTask, aWorkload } from "../domain/testing/records.ts";
import { MemoryView } from "../store/view/view.ts";
import { sampleServices } from "./sample-services.ts";

test("counts what waits and runs, and what ready and starting workloads hold", () => {
  const view = new MemoryView({ clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
  const { service, deployment } = aReadyService({ resources: { gpuCount: 2 } });
  view.put("services", service.id, service, 1);
  view.put("deployments", deployment.id, deployment, 1);
  const tasks = [0, 1, 2].map(() => aTask(service));
  for (const task of tasks) view.put("tasks", task.id, task, 1);
  const [first] = tasks;
  if (first === undefined) throw new Error("there are no tasks");
  view.put("tasks", first.id, claim(first, { nodeId: "n", sessionId: "s", assignmentId: "a" }, 1), 2);
  for (const [index, phase] of (["ready", "starting", "failed"] as const).entries()) {
    const assignment = anAssignment(deployment, "n", { id: `a${index}`, gpuUuids: [`g${index}`, `h${index}`] });
    view.put("assignments", assignment.id, assignment, 3);
    view.put("workloads", assignment.id, aWorkload(assignment, { phase }), 3);
  }
  const { memoryBytes } = deployment.resources;
  expect([...sampleServices(view)]).toEqual([
    [service.id, { queued: 2, running: 1, workloads: 1, gpus: 4, gpusBusy: 2, memoryBytes: 2 * memoryBytes }],
  ]);
});
