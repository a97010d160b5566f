/** What records of all hosts have in common. */
import { z } from "zod";
import type { SourceCommit } from "./source-host.ts";

/** A number at the host, of at most twelve digits here. */
export const idSchema = z.int().positive().max(999_999_999_999).transform(String);
export const commitIdSchema = z.string().regex(/^[0-9a-f]{40}$/);

const TITLE_LENGTH_MAX = 200;
const AUTHOR_LENGTH_MAX = 100;

export function commitOf(commit: string, message: string, author: string): SourceCommit {
  const title = (message.split("\n", 1)[0] ?? "").slice(0, TITLE_LENGTH_MAX);
  return { commit, title, author: author.slice(0, AUTHOR_LENGTH_MAX) };
}
