/**
 * Keeps the credentials of single repositories short-lived: renews those that services are built with, and revokes those that
 * nobody needs any more. By one coordinator alone: a host takes a second renewal of the same credential for a theft.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { isRenewalDue, isUnusedForLong, type SourceCredential } from "../domain/source-credential.ts";
import type { Versioned } from "../domain/versioned.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { remove, replace } from "../store/change.ts";
import type { Kv } from "../store/kv.ts";
import { readAllVersioned } from "../store/read-all.ts";
import type { Store } from "../store/store.ts";
import { openCredential, sealCredential } from "./seal-credential.ts";
import type { RepositoryGrants, SourceHost } from "./source-host.ts";
import { dropCredential, isRevoked } from "./use-repository.ts";

const EVERY_MS = 10 * 60_000;

export interface RenewOptions {
  readonly kv: Pick<Kv, "range">;
  readonly store: Pick<Store, "get" | "commit" | "view">;
  readonly hosts: readonly SourceHost[];
  readonly secrets: Pick<Secrets, "seal" | "open">;
  readonly clock: Clock;
  readonly isLeading: () => boolean;
  readonly log: Logger;
}

export function startRenewing(options: RenewOptions & { readonly loops: LoopMetrics }): Loop {
  const { isLeading: isActive, loops, log } = options;
  return startMeteredLoop({
    name: "renew_credentials",
    everyMs: EVERY_MS,
    isActive,
    turn: () => renewCredentials(options),
    loops,
    log,
    failure: "credentials of source hosts could not be read",
  });
}

export async function renewCredentials(options: Omit<RenewOptions, "isLeading">): Promise<void> {
  const { kv, hosts, clock, log } = options;
  for await (const credential of readAllVersioned(kv, "source-credentials")) {
    const { value } = credential;
    const grants = hosts.find(({ name }) => name === value.host)?.grants ?? null;
    try {
      if (await isUnneeded(options, value)) await revoke(options, grants, credential);
      else if (grants !== null && isRenewalDue(value, clock.now())) await renew(options, grants, credential);
    } catch (error) {
      log.warn({ err: error, credential: value.id }, "a credential of a source host could not be renewed");
    }
  }
}

async function isUnneeded(
  { store, clock }: Pick<RenewOptions, "store" | "clock">,
  credential: SourceCredential,
): Promise<boolean> {
  const { connectionId, repositoryId } = credential;
  if ((await store.get("source-connections", connectionId)) === null) return true;
  for (const { value } of store.view.serviceSources.values()) {
    if (value.connectionId === connectionId && value.repositoryId === repositoryId) return false;
  }
  return isUnusedForLong(credential, clock.now());
}

async function revoke(
  { store, secrets }: Pick<RenewOptions, "store" | "secrets">,
  grants: RepositoryGrants | null,
  credential: Versioned<SourceCredential>,
): Promise<void> {
  await grants?.revoke(openCredential(secrets, credential.value));
  await store.commit([remove("source-credentials", credential)]);
}

/** Claimed first, so that it is not renewed twice, and that requests in between do not take its end for a revocation. */
async function renew(
  { store, secrets, clock }: Pick<RenewOptions, "store" | "secrets" | "clock">,
  grants: RepositoryGrants,
  { value, revision }: Versioned<SourceCredential>,
): Promise<void> {
  const claim = replace("source-credentials", { value, revision }, { ...value, renewingSince: clock.now() });
  if ((await store.commit([claim])).kind === "conflict") return;
  const claimed = await store.get("source-credentials", value.id);
  if (claimed === null) return;
  const { connectionId, repositoryId, host } = value;
  try {
    const next = await grants.renew(repositoryId, openCredential(secrets, value));
    const sealed = sealCredential(secrets, next, { connectionId, repositoryId, host }, clock.now());
    await store.commit([replace("source-credentials", claimed, sealed)]);
  } catch (error) {
    if (isRevoked(error)) await dropCredential(store, claimed);
    throw error;
  }
}
