/** Uses one repository of a connection at its host, with what opens it, and notices where that was ended at the host. */
import type { Clock } from "@elastic/std/clock.ts";
import { type SourceConnection, withoutRepositories } from "../domain/source-connection.ts";
import { credentialId, type SourceCredential } from "../domain/source-credential.ts";
import type { Versioned } from "../domain/versioned.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { remove } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { noticingEnd } from "./noticing-end.ts";
import { openCredential } from "./seal-credential.ts";
import type { RepositoryRef, SourceHost } from "./source-host.ts";
import { SourceHostError } from "./source-host-error.ts";
import { updateConnection } from "./update-connection.ts";

export interface UseOptions {
  readonly hosts: readonly SourceHost[];
  readonly store: Pick<Store, "get" | "commit">;
  readonly secrets: Pick<Secrets, "open">;
  readonly clock: Pick<Clock, "now">;
}

export async function useRepository<T>(
  options: UseOptions,
  connection: Versioned<SourceConnection>,
  repositoryId: string,
  use: (host: SourceHost, ref: RepositoryRef) => Promise<T>,
): Promise<T> {
  const { installationId, id } = connection.value;
  return noticingEnd(options, connection, async (host) => {
    const useBy = (credential: string | null) => use(host, { installationId, repositoryId, credential });
    if (host.grants === null) return useBy(null);
    const credential = await options.store.get("source-credentials", credentialId(id, repositoryId));
    // It was ended, and not created again.
    if (credential === null) throw new SourceHostError("revoked");
    try {
      return await useBy(openCredential(options.secrets, credential.value));
    } catch (error) {
      if (!isRevoked(error)) throw error;
      const renewed = await renewedSince(options.store, credential);
      if (renewed !== null) return useBy(openCredential(options.secrets, renewed.value));
      await dropCredential(options.store, credential);
      throw error;
    }
  });
}

/** Null where the credential is still the last one. Throws while it is being renewed. */
async function renewedSince(
  store: UseOptions["store"],
  { value: { id, sealed } }: Versioned<SourceCredential>,
): Promise<Versioned<SourceCredential> | null> {
  const last = await store.get("source-credentials", id);
  if (last === null) return null;
  if (last.value.sealed !== sealed) return last;
  if (last.value.renewingSince !== null) throw new SourceHostError("host_down");
  return null;
}

/** The repository is none of the connection's any more, so that no push to it starts a build that must fail. */
export async function dropCredential(
  store: UseOptions["store"],
  credential: Versioned<SourceCredential>,
): Promise<void> {
  const { connectionId, repositoryId } = credential.value;
  if ((await store.commit([remove("source-credentials", credential)])).kind === "conflict") return;
  await updateConnection(store, connectionId, (connection) => withoutRepositories(connection, [repositoryId]));
}

export function isRevoked(error: unknown): boolean {
  return error instanceof SourceHostError && error.code === "revoked";
}
