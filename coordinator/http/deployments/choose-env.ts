/** The environment of a new deployment: all that is sent, or what is sent as changes to that of an earlier one. */
import { isId } from "@elastic/std/ids.ts";
import type { Deployment } from "../../domain/deployment.ts";
import type { Service } from "../../domain/service.ts";
import { type DeploymentRequest, ENV_SIZE_RULE, isEnvSmall } from "../../public/deployment-request.ts";
import { changedEnv, type Env } from "../../secrets/deployment-env.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import { invalidRequest } from "../problems/problem.ts";
import { openEarlierEnv } from "./open-earlier-env.ts";

type EnvRequest = Pick<DeploymentRequest, "env" | "env_deployment_id">;

const NOTHING_TO_LEAVE_OUT = invalidRequest([
  { pointer: "#/env", detail: "null leaves out a variable of env_deployment_id, which is not given" },
]);

/** So that secrets which nobody can read again need not be typed again. */
export async function chooseEnv(
  deps: Pick<RecordDeps, "store" | "log"> & SecretDeps,
  requested: EnvRequest,
  service: Service,
): Promise<Env> {
  const { env: changes, env_deployment_id: earlierId = null } = requested;
  if (earlierId === null && Object.values(changes).includes(null)) throw NOTHING_TO_LEAVE_OUT;
  const before = earlierId === null ? {} : openEarlierEnv(deps, await findEarlier(deps, service, earlierId));
  const env = changedEnv(before, changes);
  if (!isEnvSmall(env)) throw invalidRequest([{ pointer: "#/env", detail: ENV_SIZE_RULE }]);
  return env;
}

async function findEarlier({ store }: Pick<RecordDeps, "store">, service: Service, id: string): Promise<Deployment> {
  const earlier = isId(id) ? await store.get("deployments", id) : null;
  if (earlier?.value.serviceId === service.id) return earlier.value;
  throw invalidRequest([{ pointer: "#/env_deployment_id", detail: "the service has no such deployment" }]);
}
