/** Shows what the prover of a deployment that is coming up writes before its first task, until it serves or failed. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/caller.ts";
import type { ServiceRecord } from "../api/records.ts";
import { getDeployment, getService } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { showStarting } from "./show-starting.ts";

const POLL_MS = 1_000;

type Surroundings = Pick<Context, "printer">;

/** Ends silently with `signal`, and where the service does not respond: what reads its log reports that. */
export async function showComingUp(
  { printer }: Surroundings,
  caller: Caller,
  serviceId: string,
  signal: AbortSignal,
): Promise<void> {
  const show = showStarting(printer);
  try {
    for (;;) {
      const { next_deployment_id: id } = await getService(caller, serviceId);
      if (!id) return;
      show((await getDeployment(caller, { service_id: serviceId, deployment_id: id })).starting);
      await delay(POLL_MS, undefined, { signal });
    }
  } catch {
    return;
  }
}

/** Shows what the prover of that deployment has written by now; whether there was anything. Silent as `showComingUp` is. */
export async function showComingUpNow(
  { printer }: Surroundings,
  caller: Caller,
  { service_id: serviceId, next_deployment_id: id }: Pick<ServiceRecord, "service_id" | "next_deployment_id">,
): Promise<boolean> {
  if (!id) return false;
  const deployment = await getDeployment(caller, { service_id: serviceId, deployment_id: id }).catch(() => null);
  const starting = deployment?.starting;
  if (!starting || (starting.log_tail === "" && starting.warning === null)) return false;
  // The line that it is writing has no end yet.
  showStarting(printer)({ ...starting, log_tail: starting.log_tail.replace(/[^\n]$/, "$&\n") });
  return true;
}
