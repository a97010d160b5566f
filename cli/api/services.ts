import { type Caller, call } from "./client.ts";
import type { DeploymentRecord, NewDeployment, NewService, ServiceRecord } from "./records.ts";

/** Creates a service in the caller's team. */
export async function createService(caller: Caller, name: string): Promise<ServiceRecord> {
  const service: NewService = { service_name: name };
  const body = JSON.stringify(service);
  return (await call(caller, { method: "POST", path: "/v1/services", body })) as ServiceRecord;
}

export async function getService(caller: Caller, serviceId: string): Promise<ServiceRecord> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}`;
  return (await call(caller, { method: "GET", path })) as ServiceRecord;
}

export async function deploy(caller: Caller, serviceId: string, deployment: NewDeployment): Promise<DeploymentRecord> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}/deployments`;
  return (await call(caller, { method: "POST", path, body: JSON.stringify(deployment) })) as DeploymentRecord;
}

export async function getDeployment(
  caller: Caller,
  { service_id: serviceId, deployment_id: deploymentId }: DeploymentRecord,
): Promise<DeploymentRecord> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}/deployments/${encodeURIComponent(deploymentId)}`;
  return (await call(caller, { method: "GET", path })) as DeploymentRecord;
}
