/** Why a service's log is empty, from its record, and what to do about it. Pure. */
import type { ServiceRecord } from "../api/records.ts";

type Deployments = Pick<ServiceRecord, "service_id" | "current_deployment_id" | "next_deployment_id" | "failure">;

/** Null where there is a deployment, also one that failed. */
export function noDeploymentText(service: Deployments): string | null {
  const { current_deployment_id: current, next_deployment_id: next, failure } = service;
  if (current || next || failure) return null;
  return `nothing is deployed to the service; run \`elastic deploy --service ${service.service_id} --image <image>\``;
}

/** What follows `No log yet: `. */
export function noLogText(service: Deployments): string {
  const { service_id: id, current_deployment_id: current, next_deployment_id: next, failure } = service;
  const nothing = noDeploymentText(service);
  if (nothing !== null) return `${nothing}.`;
  if (next) {
    const info = `elastic deployment info ${next} --service ${id}`;
    return `the prover of the deployment ${next} has written nothing; \`${info}\` shows how far it is.`;
  }
  if (failure && !current) {
    return `the newest deployment failed: ${failure.reason}; \`elastic deployment list --service ${id}\` shows it.`;
  }
  return "the provers of the service have written nothing for its newest tasks.";
}
