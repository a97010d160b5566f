/** Waits until a deployment serves, showing its progress, or says why it does not. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/caller.ts";
import type { DeploymentRecord, ServiceRecord } from "../api/records.ts";
import { getDeployment, getService } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { waiting } from "../errors/stopped-waiting.ts";
import type { Printer } from "../output/printer.ts";
import { showStarting } from "./show-starting.ts";
import { stageText, stepText } from "./stage-text.ts";

const POLL_MS = 500;
/** Of what the prover wrote before it failed. */
const LOG_LINES_MAX = 20;

type Surroundings = Pick<Context, "printer" | "signal">;

interface Serving {
  readonly deployment: DeploymentRecord;
  readonly service: ServiceRecord;
}

/** Both records as they are once `deployment` is the service's current one. Its id is printed before the wait. */
export async function awaitReady(
  context: Surroundings,
  caller: Caller,
  deployment: DeploymentRecord,
  timeoutMs: number,
): Promise<Serving> {
  const { deployment_id: id } = deployment;
  context.printer.begun({ json: { deployment_id: id }, text: `Deployment ${id}` });
  return await waiting(pollUntilReady(context, caller, deployment, timeoutMs), {
    what: `The deployment ${id}`,
    next:
      `\`${infoCommand(deployment)}\` shows how far it is; another \`elastic deploy\` replaces it, and ` +
      `\`elastic deployment rollback --service ${deployment.service_id}\` goes back to the one that was ready before.`,
  });
}

async function pollUntilReady(
  context: Surroundings,
  caller: Caller,
  deployment: DeploymentRecord,
  timeoutMs: number,
): Promise<Serving> {
  const startedAt = performance.now();
  const show = showStarting(context.printer);
  let warning: string | null = null;
  for (;;) {
    const current = await getDeployment(caller, deployment);
    show(current.starting);
    warning = current.starting?.warning ?? warning;
    const { state, failure } = current;
    if (state === "Ready") return { deployment: current, service: await getService(caller, deployment.service_id) };
    if (state !== "Unready") throw didNotComeUp(context.printer, state, failure);
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) throw tookTooLong(current, timeoutMs, warning);
    context.printer.progress(stageText(current), Math.floor(waitedMs / 1000));
    await delay(POLL_MS, undefined, { signal: context.signal }).catch(() => {
      throw interrupted();
    });
  }
}

function didNotComeUp(printer: Printer, state: string, failure: DeploymentRecord["failure"]): CliError {
  if (failure === null) {
    return new CliError(`The deployment is ${state}: another took its place.`, { code: "deployment_replaced" });
  }
  const { stage, reason, message, log_tail: logTail } = failure;
  for (const line of logTail ? logTail.trimEnd().split("\n").slice(-LOG_LINES_MAX) : []) printer.note(`| ${line}`);
  return new CliError(`The deployment failed${stepText(stage)}: ${reason}: ${message}`, {
    code: reason,
    next: "Correct the image or its settings and run `elastic deploy` again.",
  });
}

/** `warning` is the last that there was. */
function tookTooLong(deployment: DeploymentRecord, timeoutMs: number, warning: string | null): CliError {
  const at = warning === null ? stageText(deployment) : `${stageText(deployment)}, but ${warning}`;
  return new CliError(`The deployment was not ready within ${timeoutMs / 1000} s; it continues. ${at}.`, {
    exitCode: EXIT.tryAgain,
    code: "timeout",
    next: `\`${infoCommand(deployment)}\` shows how far it is and what it waits for.`,
  });
}

/** From any directory. */
function infoCommand({ deployment_id: id, service_id: serviceId }: DeploymentRecord): string {
  return `elastic deployment info ${id} --service ${serviceId}`;
}
