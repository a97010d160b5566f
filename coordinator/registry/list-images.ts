/**
 * A team's repositories and tags in the service's own registry (OCI distribution specification 1.1, and the catalog of
 * the distribution registry). The catalog is of all teams and in order, so it is read from the team's first name on.
 */
import { z } from "zod";
import type { OwnRegistry } from "./own-registry.ts";
import { readJson } from "./read-json.ts";
import { repositoryPrefix, teamOfRepository } from "./team-repository.ts";

const DEADLINE_MS = 10_000;
const REPOSITORIES_MAX = 100;
const TAGS_MAX = 100;
/** Requests in flight at once for one list. */
const AT_ONCE = 8;

interface ListedRepository {
  /** `<team id>/<name>`. */
  readonly repository: string;
  readonly tags: readonly string[];
}

export type ImageList =
  | {
      readonly kind: "images";
      readonly repositories: readonly ListedRepository[];
      /** There are more repositories, or more tags of one. */
      readonly isCut: boolean;
    }
  | { readonly kind: "unavailable"; readonly detail: string };

type Registry = Pick<OwnRegistry, "base" | "issueToken">;

const catalogSchema = z.object({ repositories: z.array(z.string()).nullable() });
const tagsSchema = z.object({ tags: z.array(z.string()).nullable() });

export async function listImages(registry: Registry, teamId: string): Promise<ImageList> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const names = await namesOf(registry, teamId, signal);
    const all = await tagsOfEach(registry, names.slice(0, REPOSITORIES_MAX), signal);
    const repositories = all.filter(({ tags }) => tags.length > 0);
    const isCut = names.length > REPOSITORIES_MAX || repositories.some(({ tags }) => tags.length > TAGS_MAX);
    return {
      kind: "images",
      repositories: repositories.map(({ repository, tags }) => ({ repository, tags: tags.slice(0, TAGS_MAX) })),
      isCut,
    };
  } catch (error) {
    return { kind: "unavailable", detail: error instanceof Error ? error.message : String(error) };
  }
}

/** One more than are listed, where there are more. */
async function namesOf({ base, issueToken }: Registry, teamId: string, signal: AbortSignal): Promise<string[]> {
  const access = [{ type: "registry", name: "catalog", actions: ["*"] }] as const;
  const url = `${base}/v2/_catalog?n=${REPOSITORIES_MAX + 1}&last=${encodeURIComponent(repositoryPrefix(teamId))}`;
  const catalog = await readJson(url, { token: issueToken(`team/${teamId}`, access).text, signal });
  const names = catalog === null ? [] : (catalogSchema.parse(catalog).repositories ?? []);
  return names.filter((name) => teamOfRepository(name) === teamId);
}

async function tagsOfEach(
  { base, issueToken }: Registry,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly ListedRepository[]> {
  const found = new Map<string, readonly string[]>();
  const left = names.values();
  const work = async () => {
    for (const name of left) {
      const access = [{ type: "repository", name, actions: ["pull"] }] as const;
      const token = issueToken("images", access).text;
      const list = await readJson(`${base}/v2/${name}/tags/list?n=${TAGS_MAX + 1}`, { token, signal });
      found.set(name, list === null ? [] : (tagsSchema.parse(list).tags ?? []));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return names.map((repository) => ({ repository, tags: found.get(repository) ?? [] }));
}
