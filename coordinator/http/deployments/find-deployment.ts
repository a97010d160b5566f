/** A deployment of a service that the key may see, as it is now. */
import { isId } from "@elastic/std/ids.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Service } from "../../domain/service.ts";
import type { Store } from "../../store/store.ts";
import { notFound } from "../problems/problem.ts";

export async function readDeployment(store: Store, service: Service, id: string): Promise<Deployment> {
  const deployment = isId(id) ? await store.get("deployments", id) : null;
  if (deployment === null || deployment.value.serviceId !== service.id) throw notFound("deployment");
  return deployment.value;
}
