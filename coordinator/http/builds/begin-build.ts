/** Keeps a new build: with the image of an identical one where there is such, else to be prepared or run. */
import { identicalBuild } from "../../builds/identical-build.ts";
import { type Build, isOpen, type NewBuild, newBuild, reused } from "../../domain/build.ts";
import type { Service } from "../../domain/service.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { OwnRegistry } from "../../registry/own-registry.ts";
import { create, unchanged } from "../../store/change.ts";
import { refuseDeleted } from "../deployments/begin-roll-out.ts";
import type { ImageDeps } from "../deps/image-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { RegistryDeps } from "../deps/registry-deps.ts";
import type { Remember } from "../idempotency/create-once.ts";
import { countHeld } from "../limits/count-held.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { Problem } from "../problems/problem.ts";

/** Throws a Problem where the installation has no registry. */
export function registryFor({ registry }: RegistryDeps): OwnRegistry {
  if (registry !== null) return registry;
  throw new Problem("no_registry", "This installation has no registry, which images that are built are put into.");
}

export interface BuildDeps extends Pick<RecordDeps, "store" | "clock">, QuotaDeps, ImageDeps {}

export async function beginBuild(
  deps: BuildDeps,
  service: Versioned<Service>,
  wanted: NewBuild,
  remember: Remember,
): Promise<Build> {
  const { store, quotas, clock } = deps;
  refuseDeleted(service.value);
  const fresh = newBuild(wanted);
  const identical = fresh.source === null ? null : await identicalBuild({ ...deps, view: store.view }, fresh);
  const build = identical === null ? fresh : reused(fresh, identical, clock.now());
  const open = countHeld(store.view, "openBuildsPerTeam", build.teamId, clock.now());
  const release = isOpen(build) ? quotas.take("openBuildsPerTeam", build.teamId, open) : () => undefined;
  try {
    const outcome = await store.commit([unchanged("services", service), create("builds", build), ...remember(build)]);
    if (outcome.kind === "conflict")
      throw new Problem("store_unavailable", "The service was changed meanwhile: try again.");
    return build;
  } finally {
    release();
  }
}
