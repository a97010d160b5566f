/** Makes the account that a browser came back from a connection of the team for which the link was started. */

import { newId } from "@elastic/std/ids.ts";
import type { FastifyRequest } from "fastify";
import { audit } from "../../auth/audit.ts";
import { authenticateSession } from "../../auth/authenticate.ts";
import { mayDo } from "../../auth/authorize.ts";
import { sessionCookie } from "../../auth/login-cookies.ts";
import type { SourceConnection } from "../../domain/source-connection.ts";
import type { SourceGrant } from "../../domain/source-grant.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { ensureCredential } from "../../source-hosts/ensure-credential.ts";
import { sealGrant } from "../../source-hosts/link-grant.ts";
import type { LinkTransaction } from "../../source-hosts/link-transaction.ts";
import type { ReadableInstallation, SourceHost, UserToken } from "../../source-hosts/source-host.ts";
import { create, put } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { type Decision, update } from "../../store/update.ts";
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { LinkError } from "./link-error.ts";

export interface Returned {
  readonly host: SourceHost;
  readonly link: LinkTransaction;
  /** Null where it is the account of whoever authorized. */
  readonly installationId: string | null;
  /** Exchanges the code for the user's token. */
  readonly redeem: () => Promise<UserToken>;
}

export interface ConnectDeps extends RecordDeps, QuotaDeps, SecretDeps {
  readonly publicUrl: () => string;
}

/** Returns the id of the connection. Throws a LinkError or a SourceHostError. */
export async function connectAccount(deps: ConnectDeps, request: FastifyRequest, returned: Returned): Promise<string> {
  const { store, log } = deps;
  const { host, link } = returned;
  requireSession(deps, request, link);
  if ((await store.get("used-logins", link.id)) !== null) throw new LinkError("link_used");
  const token = await returned.redeem();
  const readable = await host.readInstallation(token, returned.installationId);
  const { installationId } = readable;
  // The host may have taken its time.
  requireSession(deps, request, link);
  if (link.connection !== null && (await store.get("source-connections", link.connection.id)) === null) {
    throw new LinkError("connection_gone");
  }
  const release =
    (await knownConnection(store, { host, link, installationId })) === null
      ? reservePlace(deps, link.teamId)
      : () => undefined;
  try {
    const { result: connection } = await update(store, {
      read: async () => {
        if ((await store.get("used-logins", link.id)) !== null) throw new LinkError("link_used");
        const before = await knownConnection(store, { host, link, installationId });
        return { before, grant: before === null ? null : await store.get("source-grants", before.value.id) };
      },
      decide: (known) => planConnection(deps, { host, link, token }, readable, known),
    });
    const { id: connectionId, teamId, userId } = connection;
    const facts = { requestId: request.id, connectionId, teamId, userId, host: host.name, installationId };
    audit(log, "source_connected", facts);
    await restoreCredentials(deps, host, connection, token);
    return connectionId;
  } finally {
    release();
  }
}

function reservePlace({ quotas, store }: QuotaDeps & Pick<RecordDeps, "store">, teamId: string): () => void {
  return quotas.take("sourceConnectionsPerTeam", teamId, store.view.sourceConnections.countOf(teamId));
}

interface Known {
  readonly before: Versioned<SourceConnection> | null;
  readonly grant: Versioned<SourceGrant> | null;
}

function planConnection(
  { clock, secrets }: Pick<RecordDeps, "clock"> & SecretDeps,
  { host, link, token }: Pick<Returned, "host" | "link"> & { readonly token: UserToken },
  { installationId, account, repositories, omitted }: ReadableInstallation,
  { before, grant }: Known,
): Decision<SourceConnection> {
  const { teamId, userId } = link;
  const now = clock.now();
  const connection: SourceConnection = {
    id: before?.value.id ?? newId(now),
    teamId,
    host: host.name,
    installationId,
    account,
    userId,
    createdAt: before?.value.createdAt ?? now,
    linkedAt: now,
    repositoryIds: repositories.map(({ id }) => id),
    omittedRepositories: omitted,
    state: { kind: "active" },
  };
  const sealed = sealGrant(secrets, token, { connectionId: connection.id, userId }, now);
  const changes = [
    put("source-connections", before, connection),
    put("source-grants", grant, sealed),
    create("used-logins", { id: link.id, startedAt: link.startedAt }),
  ];
  return { changes, result: connection };
}

/** Services that are built by the connection are built again, also where their repositories were closed in the meantime. */
async function restoreCredentials(
  deps: RecordDeps & Pick<CallerDeps, "publicUrl"> & SecretDeps,
  host: SourceHost,
  { id: connectionId, repositoryIds }: SourceConnection,
  token: UserToken,
): Promise<void> {
  if (host.grants === null) return;
  for (const { value } of deps.store.view.serviceSources.values()) {
    const { repositoryId } = value;
    if (value.connectionId !== connectionId || !repositoryIds.includes(repositoryId)) continue;
    await ensureCredential(deps, host, { connectionId, repositoryId }, token).catch((error: unknown) => {
      deps.log.warn({ err: error, connectionId, repositoryId }, "a repository could not be opened again");
    });
  }
}

/** That of the same team and user to the same installation: two users may read different repositories there. */
async function knownConnection(
  store: Store,
  { host, link, installationId }: Pick<Returned, "host" | "link"> & Pick<ReadableInstallation, "installationId">,
): Promise<Versioned<SourceConnection> | null> {
  for (const { value } of store.view.sourceConnections.of(link.teamId)) {
    const isSame = value.host === host.name && value.installationId === installationId && value.userId === link.userId;
    if (isSame) return store.get("source-connections", value.id);
  }
  return null;
}

/** The session that started the link has to stand, and its user to have the permission in the team. */
function requireSession(
  { store, clock, publicUrl }: Pick<CallerDeps, "store" | "clock" | "publicUrl">,
  { headers }: FastifyRequest,
  link: LinkTransaction,
): void {
  const value = sessionCookie.read(headers.cookie, publicUrl());
  const found = value === null ? null : authenticateSession(store.view, value, clock.now());
  if (found?.kind !== "key" || found.key.id !== link.callerId || found.key.userId !== link.userId) {
    throw new LinkError("session_ended");
  }
  if (!mayDo(store.view, found.key, link.teamId, "services")) throw new LinkError("role_missing");
}
