/** All repositories of teams in the service's own registry, and what their tags are at the moment. */
import { z } from "zod";
import { fetchDigest } from "../fetch-digest.ts";
import type { OwnRegistry } from "../own-registry.ts";
import { readJson } from "../read-json.ts";
import { teamOfRepository } from "../team-repository.ts";

export type SweptRegistry = Pick<OwnRegistry, "host" | "base" | "issueToken">;

const PAGE_TIMEOUT_MS = 30_000;
const REPOSITORIES_PER_PAGE = 500;
const TAGS_PER_PAGE = 1_000;
const SUBJECT = "sweep";

const catalogSchema = z.object({ repositories: z.array(z.string()).nullable() });
const tagsSchema = z.object({ tags: z.array(z.string()).nullable() });

/** Base images of the site are not among them: operators put them there and remove them. */
export async function listRepositories({ host, base, issueToken }: SweptRegistry): Promise<readonly string[]> {
  const names = await readPages(REPOSITORIES_PER_PAGE, async (query) => {
    const { text: token } = issueToken(SUBJECT, [{ type: "registry", name: "catalog", actions: ["*"] }]);
    const page = await readJson(`${base}/v2/_catalog?${query}`, {
      token,
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
    });
    return page === null ? [] : (catalogSchema.parse(page).repositories ?? []);
  }).catch((error: Error) => {
    const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException;
    // Of several addresses that do not respond there is only a code.
    const why = message === "" ? (code ?? error.message) : message;
    throw new Error(
      `the repositories of ${host} cannot be listed: ${why}. Start the registry, or correct ELASTIC_REGISTRY; nothing was changed`,
      { cause: error },
    );
  });
  return names.filter((name) => teamOfRepository(name) !== null);
}

/** The digest of each tag. */
export async function readTags(
  { base, issueToken }: SweptRegistry,
  repository: string,
): Promise<ReadonlyMap<string, string>> {
  const pull = () => issueToken(SUBJECT, [{ type: "repository", name: repository, actions: ["pull"] }]).text;
  const tags = await readPages(TAGS_PER_PAGE, async (query) => {
    const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
    const page = await readJson(`${base}/v2/${repository}/tags/list?${query}`, { token: pull(), signal });
    return page === null ? [] : (tagsSchema.parse(page).tags ?? []);
  });
  const digests = new Map<string, string>();
  for (const name of tags) {
    const answer = await fetchDigest(base, { repository, name, token: pull() });
    if (answer.kind === "unavailable") throw new Error(`${repository}:${name}: ${answer.detail}`);
    // One that was removed since it was listed.
    if (answer.kind === "digest") digests.set(name, answer.digest);
  }
  return digests;
}

/** Pages until one has nothing new: some registries ignore what a page is to begin after, and list all. */
async function readPages(
  size: number,
  read: (query: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const all = new Set<string>();
  for (let last = ""; ; ) {
    const before = all.size;
    const page = await read(`n=${size}${last === "" ? "" : `&last=${encodeURIComponent(last)}`}`);
    for (const name of page) all.add(name);
    last = page.at(-1) ?? "";
    if (page.length < size || all.size === before) return [...all];
  }
}
