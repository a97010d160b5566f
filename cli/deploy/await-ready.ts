/** Waits until a deployment serves, telling how it goes, or says why it does not. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/client.ts";
import type { DeploymentRecord, ServiceRecord } from "../api/records.ts";
import { getDeployment, getService } from "../api/services.ts";
import type { Context } from "../context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

const POLL_MS = 500;

/** Both records as they are once `deployment` is the service's current one. */
export async function awaitReady(
  context: Pick<Context, "printer" | "signal">,
  caller: Caller,
  deployment: DeploymentRecord,
  timeoutMs: number,
): Promise<{ deployment: DeploymentRecord; service: ServiceRecord }> {
  const startedAt = performance.now();
  for (;;) {
    const current = await getDeployment(caller, deployment);
    const { state, failure } = current;
    if (state === "Ready") return { deployment: current, service: await getService(caller, deployment.service_id) };
    if (state !== "Unready") throw didNotComeUp(state, failure);
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) throw tookTooLong(timeoutMs);
    context.printer.progress("Waiting for the deployment to be ready", Math.floor(waitedMs / 1000));
    await delay(POLL_MS, undefined, { signal: context.signal }).catch(() => {
      throw interrupted();
    });
  }
}

function didNotComeUp(state: string, failure: DeploymentRecord["failure"]): CliError {
  if (failure === null) {
    return new CliError(`The deployment is ${state}: another took its place.`, { code: "deployment_replaced" });
  }
  return new CliError(`The deployment failed: ${failure.reason}: ${failure.message}`, {
    code: failure.reason,
    next: "Correct the image or its settings and run `elastic deploy` again.",
  });
}

function tookTooLong(timeoutMs: number): CliError {
  return new CliError(`The deployment was not ready within ${timeoutMs / 1000} s; it goes on.`, {
    exitCode: EXIT.tryAgain,
    code: "timeout",
    next: "See `elastic service info` for its state.",
  });
}
