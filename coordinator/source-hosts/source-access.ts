/**
 * What builds ask of source hosts, by the records of a service and a connection. Each call checks again that the connection
 * stands, and the host that the repository is the same one, in the same installation, and no fork. All throw a SourceHostError.
 */
import type { Readable } from "node:stream";
import type { Clock } from "@elastic/std/clock.ts";
import type { ServiceSource } from "../domain/service-source.ts";
import {
  hasRepository,
  isActive,
  type SourceConnection,
  uninstalled,
  withRepository,
} from "../domain/source-connection.ts";
import type { SourceGrant } from "../domain/source-grant.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { remove } from "../store/change.ts";
import type { Store, Versioned } from "../store/store.ts";
import { openGrant } from "./link-grant.ts";
import type {
  ArchiveLimits,
  CommitStatus,
  NewFile,
  SourceCommit,
  SourceHost,
  SourceRepository,
  UserToken,
} from "./source-host.ts";
import { SourceHostError } from "./source-host-error.ts";
import { updateConnection } from "./update-connection.ts";

export interface SourceAccess {
  /** `ref` as git-ref.ts has it; the service's branch where it is left out. It is read once: builds go on from the commit. */
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
  readonly secrets: Pick<Secrets, "open">;
  readonly clock: Pick<Clock, "now">;
}

export function openSourceAccess(options: SourceAccessOptions): SourceAccess {
  const ofSource = async <T>(source: ServiceSource, use: (host: SourceHost) => Promise<T>): Promise<T> => {
    const connection = await readActive(options, source.connectionId);
    const isSame =
      connection.value.teamId === source.teamId && connection.value.installationId === source.installationId;
    if (!isSame || connection.value.host !== source.host) throw new SourceHostError("revoked");
    if (!hasRepository(connection.value, source.repositoryId)) throw new SourceHostError("repository_not_linked");
    return noticingEnd(options, connection, use);
  };
  return {
    resolveCommit: (source, ref = `refs/heads/${source.branch}`) =>
      ofSource(source, (host) => host.resolveCommit(source, source.branch, ref)),
    openArchive: (source, commit, limits) => ofSource(source, (host) => host.openArchive(source, commit, limits)),
    setCommitStatus: (source, commit, status) =>
      ofSource(source, (host) => host.setCommitStatus(source, commit, status)),
    createRepository: async (connectionId, userId, wanted) => {
      const connection = await readActive(options, connectionId);
      const grant = await options.store.get("source-grants", connectionId);
      const token = grant === null ? null : openGrant(options.secrets, grant.value, userId, options.clock.now());
      if (grant === null || token === null) throw new SourceHostError("authorization_needed");
      const created = await noticingEnd(options, connection, (host) => create(host, token, connection.value, wanted));
      // It is at the host from here on, whatever becomes of the connection.
      await addCreated(options, grant, created).catch((error: unknown) => {
        throw new SourceHostError("repository_not_added", error);
      });
      return created;
    },
  };
}

function create(
  host: SourceHost,
  token: UserToken,
  { installationId, account }: SourceConnection,
  wanted: { readonly name: string; readonly files: readonly NewFile[] },
): Promise<SourceRepository> {
  return host.createRepository(token, { installationId, account, ...wanted });
}

/** Throws where the connection was deleted meanwhile. */
async function addCreated(
  options: SourceAccessOptions,
  grant: Versioned<SourceGrant>,
  { id }: SourceRepository,
): Promise<void> {
  await options.store.commit([remove("source-grants", grant)]);
  await updateConnection(options.store, grant.value.id, (connection) => withRepository(connection, id));
  await readActive(options, grant.value.id);
}

export async function readActive(
  { store }: Pick<SourceAccessOptions, "store">,
  connectionId: string,
): Promise<Versioned<SourceConnection>> {
  const connection = await store.get("source-connections", connectionId);
  if (connection === null || connection.value.state.kind === "uninstalled") throw new SourceHostError("revoked");
  if (!isActive(connection.value)) throw new SourceHostError("suspended");
  return connection;
}

/** Where the host says that the installation is gone, the connection's record says so from then on. */
export async function noticingEnd<T>(
  options: Pick<SourceAccessOptions, "hosts" | "store" | "clock">,
  { value: { id, host: name } }: Versioned<SourceConnection>,
  use: (host: SourceHost) => Promise<T>,
): Promise<T> {
  const host = options.hosts.find((one) => one.name === name);
  // The operator has removed it from the settings.
  if (host === undefined) throw new SourceHostError("host_down");
  try {
    return await use(host);
  } catch (error) {
    if (error instanceof SourceHostError && error.code === "revoked") {
      await updateConnection(options.store, id, (connection) => uninstalled(connection, options.clock.now()));
    }
    throw error;
  }
}
