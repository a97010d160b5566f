import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { listAll } from "./pages.ts";
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
  { service_id: serviceId, deployment_id: deploymentId }: Pick<DeploymentRecord, "service_id" | "deployment_id">,
): Promise<DeploymentRecord> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}/deployments/${encodeURIComponent(deploymentId)}`;
  return (await call(caller, { method: "GET", path })) as DeploymentRecord;
}

/** The team's services, newest first. */
export async function listServices(caller: Caller): Promise<readonly ServiceRecord[]> {
  return await listAll<ServiceRecord>(caller, "/v1/services");
}

export async function deleteService(caller: Caller, serviceId: string): Promise<void> {
  await call(caller, { method: "DELETE", path: `/v1/services/${encodeURIComponent(serviceId)}` });
}

/** Newest first. */
export async function listDeployments(caller: Caller, serviceId: string): Promise<readonly DeploymentRecord[]> {
  return await listAll<DeploymentRecord>(caller, `/v1/services/${encodeURIComponent(serviceId)}/deployments`);
}

/** To the deployment that was ready before, or to the one that is named. */
export async function rollBack(
  caller: Caller,
  serviceId: string,
  deploymentId: string | undefined,
): Promise<DeploymentRecord> {
  const path = `/v1/services/${encodeURIComponent(serviceId)}/rollback`;
  const body = JSON.stringify(deploymentId === undefined ? {} : { deployment_id: deploymentId });
  return (await call(caller, { method: "POST", path, body })) as DeploymentRecord;
}
