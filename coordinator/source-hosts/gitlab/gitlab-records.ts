/** What is read of GitLab's records. */
import { z } from "zod";
import { commitIdSchema, idSchema } from "../host-records.ts";
import type { SourceRepository } from "../source-host.ts";

/** Of a project without any commit, nobody can say what its branch will be called. */
const DEFAULT_BRANCH = "main";

export const projectSchema = z.object({
  id: idSchema,
  path_with_namespace: z.string().min(1).max(1_000),
  default_branch: z.string().max(255).nullish(),
  visibility: z.enum(["private", "internal", "public"]),
  /** Only where it is a fork, of a project that the token may read. */
  forked_from_project: z.unknown().optional(),
});

export type GitlabProject = z.output<typeof projectSchema>;

export const userSchema = z.object({ id: idSchema, username: z.string().min(1).max(255) });

export const commitSchema = z.object({
  id: commitIdSchema,
  message: z.string(),
  author_name: z.string().nullish(),
});

/** Of a branch or a tag. */
export const refSchema = z.object({ commit: commitSchema });

export const tokenSchema = z.object({ token: z.string().min(1).max(2_000), expires_at: z.iso.date() });

export const hooksSchema = z.array(z.object({ id: idSchema, url: z.string() })).max(100);

export function repositoryOf({
  id,
  path_with_namespace,
  default_branch,
  visibility,
  forked_from_project,
}: GitlabProject): SourceRepository {
  return {
    id,
    fullName: path_with_namespace,
    defaultBranch: default_branch ?? DEFAULT_BRANCH,
    isPrivate: visibility !== "public",
    isFork: (forked_from_project ?? null) !== null,
  };
}
