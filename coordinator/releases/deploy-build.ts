/** Deploys the image of a build, set as the service's newest deployment is, once it has proved what the service proved last. */
import type { Clock } from "@elastic/std/clock.ts";
import { beginDeployment } from "../deployments/begin-deployment.ts";
import { type Build, imageOf } from "../domain/build.ts";
import type { Deployment } from "../domain/deployment.ts";
import type { Service } from "../domain/service.ts";
import type { Versioned } from "../domain/versioned.ts";
import { type Env, openEnv, sealEnv } from "../secrets/deployment-env.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { replace } from "../store/change.ts";
import type { Store, View } from "../store/store.ts";
import { TooManyConflictsError } from "../store/update.ts";
import { type InputOptions, lastProvedInput } from "./last-proved-input.ts";

type DeploymentSettings = Pick<Deployment, "resources" | "scaling" | "limits">;

export interface DeployBuildOptions extends InputOptions {
  readonly store: Store;
  readonly secrets: Pick<Secrets, "open" | "seal">;
  readonly clock: Pick<Clock, "now">;
  /** Of a service that has no deployment yet. */
  readonly defaults: DeploymentSettings;
}

/** Why a build that succeeded cannot be deployed, for a person. */
export class NotDeployableError extends Error {
  override readonly name = "NotDeployableError";
}

/** Throws NotDeployableError. Where build or service changed meanwhile nothing was done. */
export async function deployBuild(options: DeployBuildOptions, build: Versioned<Build>): Promise<void> {
  const { store, secrets, clock, defaults } = options;
  const { id: buildId, serviceId, creatorId, tag, release, origin } = build.value;
  const image = imageOf(build.value);
  if (image === null || release === null) throw new Error(`build ${buildId} has nothing to deploy`);
  const receivedAt = clock.now();
  const service = await readService(store, serviceId);
  const earlier = newestDeployment(store.view, serviceId);
  const { resources, scaling, limits } = earlier ?? defaults;
  const env = earlier === null ? {} : openEarlierEnv(secrets, earlier);
  const canary = await lastProvedInput(options, service.value, receivedAt);
  const verifierImage = earlier?.verifierImage ?? null;
  const begin = beginDeployment(options, {
    readService: () => readService(store, serviceId),
    creatorId,
    chosen: {
      ...{ image, tag, verifierImage, resources, scaling, limits, buildId, rollbackOf: null },
      ...(canary !== null && { canary }),
    },
    volumeId: earlier?.volume?.id ?? null,
    withoutVolume: () => new NotDeployableError("the volume of the newest deployment was deleted"),
    seal: (id) => sealEnv(secrets, id, env),
    receivedAt,
    note: origin?.commit == null ? `build ${buildId}` : `build of ${origin.from.repositoryName} at ${origin.commit}`,
    also: ({ id: deploymentId }) => [
      replace("builds", build, { ...build.value, release: { ...release, state: { kind: "deploying", deploymentId } } }),
    ],
  });
  await begin.catch((error: unknown) => {
    // Others changed the build: the next turn decides from its new state.
    if (!(error instanceof TooManyConflictsError)) throw error;
  });
}

async function readService(store: Store, id: string): Promise<Versioned<Service>> {
  const service = await store.get("services", id);
  if (service === null || service.value.state.kind === "deleted") {
    throw new NotDeployableError("the service was deleted");
  }
  return service;
}

/** The one that was requested last, whatever became of it. */
export function newestDeployment({ deployments }: Pick<View, "deployments">, serviceId: string): Deployment | null {
  let newest: Deployment | null = null;
  for (const { value } of deployments.values()) {
    if (value.serviceId === serviceId && (newest === null || value.id > newest.id)) newest = value;
  }
  return newest;
}

function openEarlierEnv(secrets: Pick<Secrets, "open">, earlier: Deployment): Env {
  try {
    return openEnv(secrets, earlier);
  } catch (error) {
    const message = `the environment of deployment ${earlier.id} can no longer be read: deploy once with all of its values`;
    throw new NotDeployableError(message, { cause: error });
  }
}
