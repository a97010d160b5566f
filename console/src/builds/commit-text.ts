/** A commit, as short as people name it. Pure. */
import type { Build } from "./builds-query.ts";

const DIGITS = 7;

/** Null until it is known. */
export function shortCommit({ repository }: Pick<Build, "repository">): string | null {
  return repository?.commit?.slice(0, DIGITS) ?? null;
}
