/** A push to the branch of a service begins a build whose image is deployed; those of earlier pushes are not built any more. */

import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { Logger } from "@elastic/std/log.ts";
import { imageRepository } from "../builds/image-repository.ts";
import { type Build, cancelled, isOpen, newBuild } from "../domain/build.ts";
import { newRelease, type PushOrigin } from "../domain/release.ts";
import type { OwnRegistry } from "../registry/own-registry.ts";
import type { OnPush, Push } from "../source-hosts/on-push.ts";
import { create, replace } from "../store/change.ts";
import type { Change, Store, Versioned } from "../store/store.ts";

export interface PushedOptions {
  readonly store: Pick<Store, "commit" | "view">;
  readonly registry: Pick<OwnRegistry, "host"> | null;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

const TRIES = 5;
const TAG_DIGITS = 12;

export function buildPushed({ store, registry, clock, log }: PushedOptions): OnPush {
  return async (push) => {
    const { service, origin } = push;
    if (registry === null) {
      log.warn({ serviceId: service.id }, "a push is not built: this installation has no registry");
      return;
    }
    for (let tries = 0; tries < TRIES; tries++) {
      const earlier = pushedBuilds(store, service.id);
      if (earlier.some(({ of }) => !isNewer(origin, of))) return;
      const now = clock.now();
      const build = buildOf(push, registry.host, now);
      const changes = [create("builds", build), ...earlier.flatMap(({ read }) => supersede(read, push.commit, now))];
      if ((await store.commit(changes)).kind === "conflict") continue;
      log.info({ buildId: build.id, serviceId: service.id, commit: push.commit }, "a push is built");
      return;
    }
    throw new Error(`the builds of service ${service.id} change too quickly`);
  };
}

interface Pushed {
  readonly read: Versioned<Build>;
  readonly of: PushOrigin;
}

function pushedBuilds({ view }: PushedOptions["store"], serviceId: string): readonly Pushed[] {
  return [...view.builds.values()].flatMap((read) => {
    const of = read.value.release?.push ?? null;
    return read.value.serviceId === serviceId && of !== null ? [{ read, of }] : [];
  });
}

/** A delivery that comes again, or after that of a later push, builds nothing. Hosts count whole seconds. */
function isNewer(push: PushOrigin, than: PushOrigin): boolean {
  return push.deliveryId !== than.deliveryId && push.pushedAt >= than.pushedAt;
}

function buildOf({ service, source, commit, ref, origin }: Push, registryHost: string, now: number): Build {
  const { id: serviceId, teamId } = service;
  return newBuild({
    id: newId(now),
    teamId,
    serviceId,
    creatorId: source.userId,
    createdAt: now,
    source: null,
    origin: { from: source, ref, commit, title: null },
    settings: { baseDir: source.baseDir, buildFile: "Dockerfile", target: "", buildArgs: {} },
    noCache: false,
    repository: imageRepository(registryHost, service),
    tag: commit.slice(0, TAG_DIGITS),
    identity: "",
    retryOf: null,
    release: newRelease(origin),
  });
}

function supersede(read: Versioned<Build>, commit: string, now: number): readonly Change[] {
  const { release } = read.value;
  if (release?.state.kind !== "waiting") return [];
  const ended = isOpen(read.value) ? cancelled(read.value, now) : read.value;
  const state = { kind: "superseded", deploymentId: null, message: `a newer commit was pushed: ${commit}` } as const;
  return [replace("builds", read, { ...ended, release: { ...release, state } })];
}
