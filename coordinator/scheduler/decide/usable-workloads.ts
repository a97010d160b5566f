/** Which workloads of a service count: those that are up or coming up, and those that may be given tasks. Pure. */
import type { Deployment } from "../../domain/deployment.ts";
import type { AssignmentEntry, ServiceEntry } from "./entries.ts";

/** Whether the workload is up or on its way, on a node that works. */
export function isAlive(entry: AssignmentEntry): boolean {
  const phase = entry.workload?.value.phase;
  return !entry.removing && phase !== "failed" && phase !== "stopped" && entry.node.read?.value.state === "ready";
}

/** What the service has, or is getting, of the deployment. */
export function aliveOf(service: ServiceEntry, { id }: Pick<Deployment, "id">): AssignmentEntry[] {
  return [...service.assignments].filter(
    (entry) => entry.value.workload.deploymentId === id && isAlive(entry) && !entry.retiring,
  );
}

/** Whether its node has quarantined one of its GPUs. */
export function hasIllGpu({ node, value }: Pick<AssignmentEntry, "node" | "value">): boolean {
  if (value.gpuUuids.length === 0) return false;
  const gpus = node.read?.value.inventory.gpus ?? [];
  return gpus.some((gpu) => gpu.unhealthyReason !== null && value.gpuUuids.includes(gpu.uuid));
}

/** Whether the workload may be given tasks. */
export function isServing(entry: AssignmentEntry): boolean {
  return (
    entry.workload?.value.phase === "ready" &&
    entry.read !== null &&
    entry.node.linked &&
    !entry.retiring &&
    isAlive(entry) &&
    !hasIllGpu(entry) &&
    entry.value.workload.deploymentId === entry.service.read?.value.currentDeploymentId
  );
}
