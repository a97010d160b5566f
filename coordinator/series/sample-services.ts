/** How each service stands, from the view: what waits, what runs, and what its workloads hold. */
import { holdsRoom, isOfDeployment } from "../domain/assignment.ts";
import { memoryOf } from "../domain/deployment.ts";
import type { TaskPhaseKind, View } from "../store/store.ts";
import type { Sample } from "./figures.ts";

type Seen = Pick<View, "tasks" | "services" | "deployments" | "assignments" | "workloads">;

interface Held {
  workloads: number;
  gpus: number;
  memoryBytes: number;
}

/** By service; those that were deleted are left out. */
export function* sampleServices(view: Seen): Iterable<readonly [serviceId: string, sample: Sample]> {
  const held = heldByServices(view);
  for (const { value: service } of view.services.values()) {
    if (service.state.kind === "deleted") continue;
    const { id, teamId, currentDeploymentId } = service;
    const count = (phase: TaskPhaseKind) =>
      view.tasks.list({ teamId, serviceId: id, phases: [phase] }, { offset: 0, limit: 0 }).total;
    const running = count("running");
    const { workloads, gpus, memoryBytes } = held.get(id) ?? NOTHING;
    const perTask = view.deployments.get(currentDeploymentId ?? "")?.value.resources.gpuCount ?? 0;
    const gpusBusy = Math.min(gpus, running * perTask);
    yield [id, { queued: count("queued"), running, workloads, gpus, gpusBusy, memoryBytes }];
  }
}

const NOTHING: Held = { workloads: 0, gpus: 0, memoryBytes: 0 };

function heldByServices({ assignments, workloads, deployments }: Seen): ReadonlyMap<string, Held> {
  const held = new Map<string, Held>();
  for (const { value: assignment } of assignments.values()) {
    const workload = workloads.get(assignment.id)?.value;
    if (!isOfDeployment(assignment) || !holdsRoom(workload)) continue;
    const { serviceId, deploymentId } = assignment.workload;
    const sum = held.get(serviceId) ?? { ...NOTHING };
    held.set(serviceId, sum);
    const deployment = deployments.get(deploymentId)?.value;
    if (workload?.phase === "ready") sum.workloads += 1;
    sum.gpus += assignment.gpuUuids.length;
    sum.memoryBytes += deployment === undefined ? 0 : memoryOf(deployment);
  }
  return held;
}
