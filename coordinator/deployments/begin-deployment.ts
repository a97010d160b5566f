/**
 * Makes a deployment its service's next one. One commit: the deployment, the account of its roll-out, the service, the
 * end of a roll-out that it takes the place of, and the mark on the volume that keeps it from being deleted meanwhile.
 */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { DeployedVolume, Deployment } from "../domain/deployment.ts";
import { beginRollOut, hasEnded, type RollOut, rollOutEvent, withEvents } from "../domain/roll-out.ts";
import { deploy, type Service } from "../domain/service.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { Volume } from "../domain/volume.ts";
import { create, replace } from "../store/change.ts";
import type { Change, Store } from "../store/store.ts";
import { update } from "../store/update.ts";
import { removeOutdated } from "./outdated.ts";

/** What the caller decides of a deployment; the rest follows from service and time. */
export type Chosen = Omit<
  Deployment,
  "id" | "serviceId" | "teamId" | "creatorId" | "createdAt" | "sealedEnv" | "volume"
>;

export interface Begin {
  /** As it is now; throws where nothing may be deployed to it. */
  readonly readService: () => Promise<Versioned<Service>>;
  readonly creatorId: string;
  readonly chosen: Chosen;
  /** Of the service's team. */
  readonly volumeId: string | null;
  /** What to throw where that volume is not there. */
  readonly withoutVolume: () => Error;
  readonly seal: (deploymentId: string) => string | null;
  readonly receivedAt: Instant;
  /** What made it begin, for its account. */
  readonly note: string | null;
  /** Committed with it. */
  readonly also?: (deployment: Deployment) => readonly Change[];
}

export interface Begun {
  readonly service: Service;
  readonly deployment: Deployment;
  readonly rollOut: RollOut;
}

export interface BeginOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

/** Throws TooManyConflictsError where the service, or what is committed with the deployment, changed at each try. */
export async function beginDeployment({ store, clock }: BeginOptions, given: Begin): Promise<Begun> {
  const { result } = await update(store, {
    read: async () => {
      const before = await given.readService();
      const replaced = await openRollOut(store, before.value.nextDeploymentId);
      return { before, replaced, volume: await findVolume(store, given, before.value.teamId) };
    },
    decide: ({ before, replaced, volume }) => {
      const now = clock.now();
      const deployment = newDeployment(given, before.value, volume?.value ?? null, now);
      const service = deploy(before.value, deployment.id);
      const rollOut = beginRollOut(
        { id: deployment.id, serviceId: service.id, teamId: service.teamId },
        { receivedAt: given.receivedAt, resolvedAt: now },
        given.note,
      );
      const changes = [
        create("deployments", deployment),
        create("roll-outs", rollOut),
        replace("services", before, service),
        ...(replaced === null ? [] : [endOfRollOut(replaced, `deployment ${deployment.id} took its place`, now)]),
        ...removeOutdated(store.view, before.value),
        ...(volume === null ? [] : [replace("volumes", volume, { ...volume.value, usedAt: now })]),
        ...(given.also?.(deployment) ?? []),
      ];
      return { changes, result: { service, deployment, rollOut } };
    },
  });
  return result;
}

/** Null for a roll-out that has ended, or of which there is no account. */
export async function openRollOut(store: Store, deploymentId: string | null): Promise<Versioned<RollOut> | null> {
  const rollOut = deploymentId === null ? null : await store.get("roll-outs", deploymentId);
  return rollOut === null || hasEnded(rollOut.value) ? null : rollOut;
}

export function endOfRollOut(rollOut: Versioned<RollOut>, note: string, now: Instant): Change {
  return replace("roll-outs", rollOut, withEvents(rollOut.value, [rollOutEvent("cancelled", now, { note })]));
}

async function findVolume(store: Store, given: Begin, teamId: string): Promise<Versioned<Volume> | null> {
  if (given.volumeId === null) return null;
  const volume = await store.get("volumes", given.volumeId);
  if (volume === null || volume.value.teamId !== teamId) throw given.withoutVolume();
  return volume;
}

function newDeployment(given: Begin, service: Service, volume: Volume | null, now: Instant): Deployment {
  const id = newId(now);
  return {
    ...given.chosen,
    id,
    serviceId: service.id,
    teamId: service.teamId,
    creatorId: given.creatorId,
    createdAt: now,
    volume: volume && deployed(volume),
    sealedEnv: given.seal(id),
  };
}

function deployed({ id, manifestSha256, manifestBytes }: Volume): DeployedVolume {
  return { id, manifestSha256, manifestBytes };
}
