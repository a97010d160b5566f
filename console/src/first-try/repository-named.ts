/** The repository of a name in an account, whatever its owner or groups are called. Pure. */
import type { SourceRepository } from "../sources/sources-query.ts";

/** Hosts compare names without regard to upper and lower case. Forks are not built. */
export function repositoryNamed(name: string, repositories: readonly SourceRepository[]): SourceRepository | null {
  const wanted = name.toLowerCase();
  return repositories.find((one) => !one.fork && one.name.toLowerCase().split("/").at(-1) === wanted) ?? null;
}
