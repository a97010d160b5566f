/**
 * A team's connection to an account at a source host: an installation of the service's app there, and the repositories that
 * the linking user was shown to read with their own token. Everything is named by ids that the host never changes.
 */
import type { Instant } from "@elastic/std/clock.ts";

/** Of ids of twelve digits, as many as fit in a record. */
export const REPOSITORIES_PER_CONNECTION = 400;

export interface SourceAccount {
  readonly id: string;
  /** As it was when the connection was made. */
  readonly login: string;
  readonly kind: "user" | "organization";
}

/** `uninstalled`: ended at the host, and never valid again. */
type SourceConnectionState =
  | { readonly kind: "active" }
  | { readonly kind: "suspended"; readonly at: Instant }
  | { readonly kind: "uninstalled"; readonly at: Instant };

export interface SourceConnection {
  readonly id: string;
  readonly teamId: string;
  /** Name of the source host in the settings. */
  readonly host: string;
  readonly installationId: string;
  readonly account: SourceAccount;
  /** Who linked it: what is listed is what this user may read. */
  readonly userId: string;
  readonly createdAt: Instant;
  readonly linkedAt: Instant;
  readonly repositoryIds: readonly string[];
  /** How many more the user may read than a connection has. */
  readonly omittedRepositories: number;
  readonly state: SourceConnectionState;
}

export function isActive({ state }: Pick<SourceConnection, "state">): boolean {
  return state.kind === "active";
}

export function hasRepository({ repositoryIds }: SourceConnection, repositoryId: string): boolean {
  return repositoryIds.includes(repositoryId);
}

export function withRepository(connection: SourceConnection, repositoryId: string): SourceConnection {
  if (hasRepository(connection, repositoryId)) return connection;
  // The newest stays: it was created a moment ago.
  const repositoryIds = [repositoryId, ...connection.repositoryIds].slice(0, REPOSITORIES_PER_CONNECTION);
  return { ...connection, repositoryIds };
}

export function withoutRepositories(connection: SourceConnection, removed: readonly string[]): SourceConnection {
  const repositoryIds = connection.repositoryIds.filter((id) => !removed.includes(id));
  return repositoryIds.length === connection.repositoryIds.length ? connection : { ...connection, repositoryIds };
}

export function uninstalled(connection: SourceConnection, now: Instant): SourceConnection {
  return connection.state.kind === "uninstalled"
    ? connection
    : { ...connection, state: { kind: "uninstalled", at: now } };
}

export function suspended(connection: SourceConnection, now: Instant): SourceConnection {
  return isActive(connection) ? { ...connection, state: { kind: "suspended", at: now } } : connection;
}

export function resumed(connection: SourceConnection): SourceConnection {
  return connection.state.kind === "suspended" ? { ...connection, state: { kind: "active" } } : connection;
}
