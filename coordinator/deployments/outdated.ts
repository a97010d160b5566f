/** Deployments of a service that have had their time: what begins a new one removes some, so that they stay few. */
import type { Deployment } from "../domain/deployment.ts";
import { wasReady } from "../domain/roll-out.ts";
import type { Service } from "../domain/service.ts";
import type { Versioned } from "../domain/versioned.ts";
import { remove } from "../store/change.ts";
import type { Change, View } from "../store/store.ts";

/** More than anybody looks back, and their records together smaller than one request to the store may be. */
const DEPLOYMENTS_RETAINED = 50;
/** With their roll-outs they share a transaction with the deployment that begins. */
const REMOVED_AT_ONCE = 20;

/** For the commit that adds one to them. */
export function removeOutdated(view: View, service: Service): readonly Change[] {
  const all = [...view.deployments.values()].filter(({ value }) => value.serviceId === service.id);
  if (all.length < DEPLOYMENTS_RETAINED) return [];
  const older = all.sort((a, b) => (a.value.id < b.value.id ? 1 : -1)).slice(DEPLOYMENTS_RETAINED - 1);
  const used = usedIds(view, service);
  const outdated = older.filter(({ value: { id } }) => !used.has(id)).slice(-REMOVED_AT_ONCE);
  return outdated.flatMap((one) => removeWithRollOut(view, one));
}

function removeWithRollOut({ rollOuts }: View, deployment: Versioned<Deployment>): readonly Change[] {
  const rollOut = rollOuts.get(deployment.value.id);
  return [remove("deployments", deployment), ...(rollOut === undefined ? [] : [remove("roll-outs", rollOut)])];
}

/** Of what serves, comes up, runs, and would be gone back to. */
function usedIds(view: View, service: Service): ReadonlySet<string | null> {
  const used = new Set<string | null>([service.currentDeploymentId, service.nextDeploymentId]);
  for (const { value } of view.assignments.values()) {
    if (value.workload.kind === "deployment") used.add(value.workload.deploymentId);
  }
  return used.add(readyBefore(view, service)?.id ?? null);
}

/** The one that became ready last, of all but the current one. */
export function readyBefore({ deployments, rollOuts }: View, service: Service): Deployment | null {
  let latest: { readonly at: number; readonly deployment: Deployment } | null = null;
  for (const { value: deployment } of deployments.values()) {
    if (deployment.serviceId !== service.id || deployment.id === service.currentDeploymentId) continue;
    const rollOut = rollOuts.get(deployment.id)?.value;
    if (rollOut === undefined || !wasReady(rollOut)) continue;
    const at = rollOut.events.at(-1)?.at ?? 0;
    if (latest === null || at > latest.at) latest = { at, deployment };
  }
  return latest?.deployment ?? null;
}
