/** Whose a repository of the service's registry is: `<team id>/<name>`, or `library/<name>` for the site's base images. */

const TEAM_REPOSITORY = /^([0-9a-f]{32})\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const LENGTH_MAX = 255;

/** What the names of a team's repositories begin with. */
export function repositoryPrefix(teamId: string): string {
  return `${teamId}/`;
}

/** Null for one that is no team's. */
export function teamOfRepository(repository: string): string | null {
  return repository.length > LENGTH_MAX ? null : (TEAM_REPOSITORY.exec(repository)?.[1] ?? null);
}

const SITE_REPOSITORY = /^library\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/** Base images that operators keep for every team's builds, named as Docker Hub names its own. */
export function isOfSite(repository: string): boolean {
  return repository.length <= LENGTH_MAX && SITE_REPOSITORY.test(repository);
}
