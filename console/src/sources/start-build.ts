/** A build of the service's repository, which is deployed once it has succeeded. */
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

/** `ref` is empty for the branch of the service's source. */
export function startBuild(serviceId: string, ref = ""): Promise<components["schemas"]["Build"]> {
  const body = { source: { repository: ref === "" ? {} : { ref } }, deploy: true };
  return dataOf(api.POST("/v1/services/{id}/builds", { params: { path: { id: serviceId } }, body }));
}
