/** A new service of a prover that is part of the service itself. */
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

/** In the team. Returns the service's id. */
export async function deployBuiltin(name: string, image: string, teamId: string): Promise<string> {
  const { service_id: id } = await dataOf(
    api.POST("/v1/services", { body: { service_name: name }, headers: { "x-team": teamId } }),
  );
  await deployInto(id, image);
  return id;
}

export async function deployInto(id: string, image: string): Promise<void> {
  await dataOf(api.POST("/v1/services/{id}/deployments", { params: { path: { id } }, body: { image } }));
}
