/** What a service is built from, as it is chosen in the form. Pure. */
import type { paths } from "elastic-client/gen/schema.ts";
import type { ServiceSource, SourceConnection, SourceRepository } from "./sources-query.ts";

export type SourceRequest = paths["/v1/services/{id}/source"]["put"]["requestBody"]["content"]["application/json"];

export interface SourceDraft {
  readonly connectionId: string | null;
  readonly repositoryId: string | null;
  readonly branch: string;
  /** Empty for all of the repository. */
  readonly baseDir: string;
  readonly deployOnPush: boolean;
}

const EMPTY_SOURCE: SourceDraft = {
  connectionId: null,
  repositoryId: null,
  branch: "",
  baseDir: "",
  deployOnPush: true,
};

function draftOfSource(source: ServiceSource): SourceDraft {
  return {
    connectionId: source.connection_id,
    repositoryId: source.repository_id,
    branch: source.branch,
    baseDir: source.base_dir,
    deployOnPush: source.deploy_on_push,
  };
}

/** A repository belongs to one connection. */
export function withConnection(draft: SourceDraft, connectionId: string | null): SourceDraft {
  return connectionId === draft.connectionId ? draft : { ...draft, connectionId, repositoryId: null, branch: "" };
}

export function withRepository(draft: SourceDraft, repository: SourceRepository): SourceDraft {
  return { ...draft, repositoryId: repository.repository_id, branch: repository.default_branch };
}

/** Null while something is missing. */
export function sourceRequestOf(draft: SourceDraft): SourceRequest | null {
  const { connectionId, repositoryId } = draft;
  const branch = draft.branch.trim();
  if (connectionId === null || repositoryId === null || branch === "") return null;
  return {
    connection_id: connectionId,
    repository_id: repositoryId,
    branch,
    base_dir: draft.baseDir.trim(),
    deploy_on_push: draft.deployOnPush,
  };
}

/** What the form begins with: what is set, through the connection that is named, or else can be used. */
export function beginSource(
  source: ServiceSource | null,
  connections: readonly SourceConnection[],
  named: string | null,
): SourceDraft {
  const draft = source === null ? EMPTY_SOURCE : draftOfSource(source);
  return withConnection(draft, chooseConnection(connections, named ?? draft.connectionId));
}

/** The one that is named while it is usable, else the only one that is. */
function chooseConnection(connections: readonly SourceConnection[], named: string | null): string | null {
  const usable = connections.filter(({ state }) => state === "active").map(({ connection_id: id }) => id);
  if (named !== null && usable.includes(named)) return named;
  return usable.length === 1 ? (usable[0] ?? null) : null;
}
