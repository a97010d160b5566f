/** Commits and refs, as short as people name them. Pure. */
import type { Build } from "./builds-query.ts";

const DIGITS = 7;

/** Null until it is known. */
export function shortCommit({ repository }: Pick<Build, "repository">): string | null {
  return repository?.commit?.slice(0, DIGITS) ?? null;
}

/** Branches without what git has before their names. */
export function refText(ref: string): string {
  return ref.replace(/^refs\/heads\//, "");
}
