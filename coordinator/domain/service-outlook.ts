/** Why a deployment's tasks wait, by what its workloads and the nodes are at. Pure. */
import type { Workload } from "./assignment.ts";
import type { Deployment } from "./deployment.ts";
import { type Nowhere, needs } from "./suitable-node.ts";
import type { Waiting } from "./waiting.ts";

/** The records of a deployment that say why it waits. */
interface ServiceSurroundings {
  /** One for each of its assignments; undefined where the node has not reported yet. */
  readonly workloads: readonly (Workload | undefined)[];
  readonly isUp: (nodeId: string) => boolean;
  /** Why no machine of the fleet could ever run it; called only where none serves. */
  readonly whyNowhere: () => Nowhere | null;
}

export function whyItWaits(deployment: Deployment, { workloads, isUp, whyNowhere }: ServiceSurroundings): Waiting {
  if (workloads.some((workload) => workload?.phase === "ready" && isUp(workload.nodeId))) {
    return { reason: "busy", message: "what serves is at work: the task waits for its turn" };
  }
  const nowhere = whyNowhere();
  if (nowhere !== null) return nowhere;
  const failed = workloads.find((workload) => workload?.phase === "failed");
  if (failed !== undefined) {
    const why = failed.failure?.message ?? "its node did not say why";
    return { reason: "start_failed", message: `the last start failed and is tried again: ${why}` };
  }
  if (workloads.some((workload) => workload === undefined || isUp(workload.nodeId))) {
    return { reason: "starting", message: "a copy of the service is being started" };
  }
  return { reason: "no_room", message: `no machine has room yet for ${needs(deployment)}` };
}
