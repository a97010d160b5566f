/**
 * What builds read from source hosts, by the records of a service and a connection. Each call checks again that the connection
 * stands, and the host that the repository is the same one, in the same installation, and no fork. All throw a SourceHostError.
 */
import type { Readable } from "node:stream";
import type { Clock } from "@elastic/std/clock.ts";
import type { ServiceSource } from "../domain/service-source.ts";
import { hasRepository, type SourceConnection, withRepository } from "../domain/source-connection.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { create, remove } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { ensureCredential } from "./ensure-credential.ts";
import { openGrant } from "./link-grant.ts";
import { noticingEnd, readActive } from "./noticing-end.ts";
import type {
  ArchiveLimits,
  CommitStatus,
  NewFile,
  RepositoryRef,
  SourceCommit,
  SourceHost,
  SourceRepository,
  UserToken,
} from "./source-host.ts";
import { SourceHostError } from "./source-host-error.ts";
import { updateConnection } from "./update-connection.ts";
import { useRepository } from "./use-repository.ts";

export interface SourceAccess {
  /** `ref` as git-ref.ts has it; the service's branch where it is left out. It is read once: builds continue with the commit. */
  resolveCommit(source: ServiceSource, ref?: string): Promise<SourceCommit>;
  /** A gzip-compressed tar file with one folder at its root; not trusted, to be unpacked with care. */
  openArchive(source: ServiceSource, commit: string, limits: ArchiveLimits): Promise<Readable>;
  setCommitStatus(source: ServiceSource, commit: string, status: CommitStatus): Promise<void>;
  /**
   * In the account of the connection, with the authorization that its user gave within the last minutes; used up by success.
   * The repository is one of the connection's from then on.
   */
  createRepository(
    connectionId: string,
    userId: string,
    wanted: { readonly name: string; readonly files: readonly NewFile[] },
  ): Promise<SourceRepository>;
}

export interface SourceAccessOptions {
  readonly hosts: readonly SourceHost[];
  readonly store: Pick<Store, "get" | "commit">;
  readonly secrets: Pick<Secrets, "seal" | "open">;
  readonly clock: Pick<Clock, "now">;
  /** Where hosts reach this service. */
  readonly publicUrl: () => string;
}

export function openSourceAccess(options: SourceAccessOptions): SourceAccess {
  const ofSource = async <T>(
    source: ServiceSource,
    use: (host: SourceHost, ref: RepositoryRef) => Promise<T>,
  ): Promise<T> => {
    const connection = await readActive(options, source.connectionId);
    const isSame =
      connection.value.teamId === source.teamId && connection.value.installationId === source.installationId;
    if (!isSame || connection.value.host !== source.host) throw new SourceHostError("revoked");
    if (!hasRepository(connection.value, source.repositoryId)) throw new SourceHostError("repository_not_linked");
    return useRepository(options, connection, source.repositoryId, use);
  };
  return {
    resolveCommit: (source, ref = `refs/heads/${source.branch}`) =>
      ofSource(source, (host, of) => host.resolveCommit(of, source.branch, ref)),
    openArchive: (source, commit, limits) => ofSource(source, (host, of) => host.openArchive(of, commit, limits)),
    setCommitStatus: (source, commit, status) =>
      ofSource(source, (host, of) => host.setCommitStatus(of, commit, status)),
    createRepository: async (connectionId, userId, wanted) => {
      const connection = await readActive(options, connectionId);
      const grant = await options.store.get("source-grants", connectionId);
      const token = grant === null ? null : openGrant(options.secrets, grant.value, userId, options.clock.now());
      if (grant === null || token === null) throw new SourceHostError("authorization_needed");
      // Claimed first: it is good for one repository, however many are requested at a time.
      const claimed = await options.store.commit([remove("source-grants", grant)]);
      if (claimed.kind === "conflict") throw new SourceHostError("authorization_needed");
      return await noticingEnd(options, connection, async (host) => {
        const created = await createAtHost(host, token, connection.value, wanted).catch(async (error: unknown) => {
          await options.store.commit([create("source-grants", grant.value)]);
          throw error;
        });
        const ensure = () => ensureCredential(options, host, { connectionId, repositoryId: created.id }, token);
        // It is at the host from here on, whatever becomes of the connection.
        await addCreated(options, connectionId, created, ensure).catch((error: unknown) => {
          throw new SourceHostError("repository_not_added", error);
        });
        return created;
      });
    },
  };
}

function createAtHost(
  host: SourceHost,
  token: UserToken,
  { installationId, account }: SourceConnection,
  wanted: { readonly name: string; readonly files: readonly NewFile[] },
): Promise<SourceRepository> {
  return host.createRepository(token, { installationId, account, ...wanted });
}

/** Throws where the app has no access to it, or the connection was deleted meanwhile. */
async function addCreated(
  options: SourceAccessOptions,
  connectionId: string,
  { id }: SourceRepository,
  ensureAccess: () => Promise<unknown>,
): Promise<void> {
  await ensureAccess();
  await updateConnection(options.store, connectionId, (connection) => withRepository(connection, id));
  await readActive(options, connectionId);
}
