/** The environment of a deployment that another one repeats or changes. */
import type { Deployment } from "../../domain/deployment.ts";
import { type Env, openEnv } from "../../secrets/deployment-env.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import { Problem } from "../problems/problem.ts";

/** An old one may be sealed with a key that was taken out of use. Throws environment_lost then. */
export function openEarlierEnv({ secrets, log }: Pick<RecordDeps, "log"> & SecretDeps, earlier: Deployment): Env {
  try {
    return openEnv(secrets, earlier);
  } catch (error) {
    log.warn({ err: error, deploymentId: earlier.id }, "the environment of an earlier deployment cannot be opened");
    const detail = "The environment of that deployment can no longer be read; deploy again with all of its values.";
    throw new Problem("environment_lost", detail);
  }
}
