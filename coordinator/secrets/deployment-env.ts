/** A deployment's environment, sealed into its record and opened for the node that runs it. */
import type { Deployment } from "../domain/deployment.ts";
import type { Secrets } from "./secrets.ts";

export type Env = Readonly<Record<string, string>>;

/** Null when there is nothing in it. */
export function sealEnv(secrets: Pick<Secrets, "seal">, deploymentId: string, env: Env): string | null {
  if (Object.keys(env).length === 0) return null;
  return secrets.seal(Buffer.from(JSON.stringify(env)), envContext(deploymentId));
}

export function openEnv(secrets: Pick<Secrets, "open">, deployment: Pick<Deployment, "id" | "sealedEnv">): Env {
  if (deployment.sealedEnv === null) return {};
  return JSON.parse(secrets.open(deployment.sealedEnv, envContext(deployment.id)).toString("utf8")) as Env;
}

/** What may be shown of it; null where it was sealed with a key that was taken out of use. */
export function envNames(
  secrets: Pick<Secrets, "open">,
  deployment: Pick<Deployment, "id" | "sealedEnv">,
): readonly string[] | null {
  try {
    return Object.keys(openEnv(secrets, deployment)).sort();
  } catch {
    return null;
  }
}

/** The environment with the changes made; null removes a name. */
export function changedEnv(env: Env, changes: Readonly<Record<string, string | null>>): Env {
  const all = Object.entries({ ...env, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Bound to the deployment: one's environment put into another's record does not open. */
export function envContext(deploymentId: string): string {
  return `deployment-env/${deploymentId}`;
}
