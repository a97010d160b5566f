/** The repositories among which a source is chosen. Pure. */
import { visibleLine } from "../text/visible-text.ts";
import type { ServiceSource, SourceRepository } from "./sources-query.ts";

export interface RepositoryOption {
  readonly value: string;
  readonly label: string;
  readonly disabled: boolean;
}

/** Forks are not built. What is set is there too where the host no longer lists it, or lists nothing at present. */
export function repositoryOptions(
  repositories: readonly SourceRepository[],
  source: ServiceSource | null,
): readonly RepositoryOption[] {
  const listed = repositories.map(({ repository_id: value, name, fork }) => ({
    value,
    label: fork ? `${visibleLine(name)} (a fork, which is not built)` : visibleLine(name),
    disabled: fork,
  }));
  if (source === null || listed.some(({ value }) => value === source.repository_id)) return listed;
  return [{ value: source.repository_id, label: visibleLine(source.repository_name), disabled: false }, ...listed];
}
