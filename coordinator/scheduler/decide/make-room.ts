/** How a workload that finds no room gets some: by what gives way to it. Pure. */
import type { Deployment } from "../../domain/deployment.ts";
import { type Fleet, wouldFitInstead } from "./choose-node.ts";
import type { AssignmentEntry, ServiceEntry } from "./entries.ts";
import { reclaim } from "./reclaim.ts";
import type { SlotUsage } from "./slot-usage.ts";
import { aliveOf, isAlive } from "./usable-workloads.ts";

export interface RoomView extends Fleet {
  readonly usage: SlotUsage;
}

/** What gives way: at once, or after its last task. */
type WayGiven = { readonly kind: "remove" | "retire"; readonly assignment: AssignmentEntry };

/** Null where nothing gives way, or something does already. */
export function makeRoom(
  view: RoomView,
  service: ServiceEntry,
  deployment: Deployment,
  nowMs: number,
): WayGiven | null {
  if (roomIsComing(service, deployment)) return null;
  return (
    replaceOwn(view, service, deployment) ??
    replaceIdle(view, service, deployment) ??
    replaceForeign(view, service, deployment, nowMs)
  );
}

/** One that makes room is on its way out already. */
function roomIsComing(service: ServiceEntry, deployment: Deployment): boolean {
  if (service.pendingPreemptions.size > 0) return true;
  return [...service.assignments].some(
    (entry) => (entry.retiring || entry.removing) && entry.value.workload.deploymentId !== deployment.id,
  );
}

/** A roll-out that finds no room takes that of the deployment it replaces, when it has none yet. */
function replaceOwn(view: RoomView, service: ServiceEntry, deployment: Deployment): WayGiven | null {
  if (deployment.id !== service.read?.value.nextDeploymentId || aliveOf(service, deployment).length > 0) return null;
  const others = [...service.assignments]
    .filter((entry) => entry.value.workload.deploymentId !== deployment.id && isAlive(entry))
    .filter((entry) => wouldFitInstead(deployment, entry, view))
    .toSorted((a, b) => a.running.size - b.running.size);
  return others[0] === undefined ? null : { kind: "retire", assignment: others[0] };
}

/** A service without any workload takes the room of another's idle one that its minimum does not require. */
function replaceIdle(view: RoomView, service: ServiceEntry, deployment: Deployment): WayGiven | null {
  if (aliveOf(service, deployment).length > 0) return null;
  let longest: AssignmentEntry | null = null;
  for (const node of view.nodes.values()) {
    for (const entry of node.assignments) {
      if (!isSpare(view, entry) || !wouldFitInstead(deployment, entry, view)) continue;
      if (longest === null || entry.idleSinceMs < longest.idleSinceMs) longest = entry;
    }
  }
  return longest === null ? null : { kind: "remove", assignment: longest };
}

/** A service for which tasks wait, or that comes up, takes the room of a team that used more; not for its minimum alone. */
function replaceForeign(view: RoomView, service: ServiceEntry, deployment: Deployment, nowMs: number): WayGiven | null {
  const comesUp = deployment.id === service.read?.value.nextDeploymentId && aliveOf(service, deployment).length === 0;
  if (service.queue.size === 0 && !comesUp) return null;
  const assignment = reclaim(view, service, deployment, nowMs);
  return assignment && { kind: "retire", assignment };
}

function isSpare(view: RoomView, entry: AssignmentEntry): boolean {
  const deployment = view.deployments.get(entry.value.workload.deploymentId);
  const isCurrent = entry.value.workload.deploymentId === entry.service.read?.value.currentDeploymentId;
  if (deployment === undefined || !isCurrent || !isAlive(entry) || entry.running.size > 0) return false;
  if (entry.workload?.value.phase !== "ready" || entry.service.queue.size > 0) return false;
  return aliveOf(entry.service, deployment).length > deployment.scaling.min;
}
