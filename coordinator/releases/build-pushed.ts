/**
 * A push to the branch of a service begins a build whose image is deployed. The build is of the branch's head as it is when that is
 * read (builds/prepare-build.ts), so deliveries may come late, again or in any order, or be lost: the head is what ends up deployed.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { Logger } from "@elastic/std/log.ts";
import { imageRepository } from "../builds/image-repository.ts";
import { superseded } from "../builds/supersede.ts";
import { type Build, failed, isOpen, newBuild } from "../domain/build.ts";
import { QUOTAS } from "../domain/quotas.ts";
import { newRelease } from "../domain/release.ts";
import type { OwnRegistry } from "../registry/own-registry.ts";
import type { OnPush, Push } from "../source-hosts/on-push.ts";
import { create } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { update } from "../store/update.ts";

export interface PushedOptions {
  readonly store: Pick<Store, "commit" | "view">;
  readonly registry: Pick<OwnRegistry, "host"> | null;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
  /** Of a team; that of the service where it is left out. */
  readonly openBuildsMax?: number;
}

export function buildPushed(options: PushedOptions): OnPush {
  const { store, registry, clock, log, openBuildsMax = QUOTAS.openBuildsPerTeam } = options;
  return async (push) => {
    const { service } = push;
    if (registry === null) {
      log.warn({ serviceId: service.id }, "a push is not built: this installation has no registry");
      return;
    }
    const { result: build } = await update(store, {
      read: () => [...store.view.builds.of(service.teamId)],
      decide: (ofTeam) => {
        const earlier = ofTeam.filter(({ value }) => value.serviceId === service.id && value.release?.push != null);
        if (earlier.some(({ value }) => hasPush(value, push))) return { changes: [], result: null };
        // Their head is not read yet, or was read before this push: it is read again.
        const unread = earlier.filter(({ value }) => value.state.kind === "preparing");
        const now = clock.now();
        const open = ofTeam.filter(({ value }) => isOpen(value)).length - unread.length;
        const begun = buildOf(push, registry.host, now);
        const result = open < openBuildsMax ? begun : failed(begun, tooMany(openBuildsMax), now);
        const changes = unread.map((read) => superseded(read, "a newer commit was pushed", now));
        return { changes: [create("builds", result), ...changes], result };
      },
    });
    if (build !== null) log.info({ buildId: build.id, serviceId: service.id, commit: push.commit }, "a push is built");
  };
}

/** By its delivery, or by its commit where that is being built or was deployed. */
function hasPush({ release, origin }: Build, { deliveryId, commit }: Push): boolean {
  if (release?.push?.deliveryId === deliveryId) return true;
  const isOver = release?.state.kind === "failed" || release?.state.kind === "superseded";
  return origin?.commit === commit && !isOver;
}

function tooMany(max: number) {
  const message = `the team has ${max} open builds, and can have no more until one of them ends: push again, or start a build`;
  return { reason: "too_many_builds", message, line: null } as const;
}

function buildOf({ service, source, commit, ref, deliveryId }: Push, registryHost: string, now: number): Build {
  const { id: serviceId, teamId } = service;
  const id = newId(now);
  return newBuild({
    id,
    teamId,
    serviceId,
    creatorId: source.userId,
    createdAt: now,
    source: null,
    origin: { from: source, ref, commit: null, title: null },
    settings: { baseDir: source.baseDir, buildFile: "Dockerfile", target: "", buildArgs: {} },
    noCache: false,
    repository: imageRepository(registryHost, service),
    tag: `push-${id.slice(-12)}`,
    identity: "",
    retryOf: null,
    release: newRelease({ deliveryId, commit }),
  });
}
