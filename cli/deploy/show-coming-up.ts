/** Shows what the prover of a deployment that is coming up writes before its first task, until it serves or failed. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/caller.ts";
import { getDeployment, getService } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { showStarting } from "./show-starting.ts";

const POLL_MS = 1_000;

/** Ends silently with `signal`, and where the service does not respond: what reads its log reports that. */
export async function showComingUp(
  { printer }: Pick<Context, "printer">,
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
