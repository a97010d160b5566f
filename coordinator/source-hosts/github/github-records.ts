/** What is read of GitHub's records. */
import { z } from "zod";
import type { SourceAccount } from "../../domain/source-connection.ts";
import { idSchema } from "../host-records.ts";
import type { SourceRepository } from "../source-host.ts";

export const repositorySchema = z.object({
  id: idSchema,
  // In the paths of further requests.
  full_name: z.string().regex(/^(?!\.+\/)[\w.-]{1,100}\/(?!\.+$)[\w.-]{1,100}$/),
  default_branch: z.string().max(255).default("main"),
  private: z.boolean(),
  fork: z.boolean(),
  pushed_at: z.string().nullish(),
  /** Of the user or app that sends the request. */
  permissions: z.object({ push: z.boolean() }).optional(),
});

export type GithubRepository = z.output<typeof repositorySchema>;

export const repositoriesSchema = z.object({
  total_count: z.int().min(0),
  repositories: z.array(repositorySchema).max(100),
});

export const installationSchema = z.object({
  id: idSchema,
  account: z
    .object({ id: idSchema, login: z.string().min(1).max(200), type: z.string().default("User") })
    .transform(
      ({ id, login, type }): SourceAccount => ({ id, login, kind: type === "Organization" ? "organization" : "user" }),
    ),
  suspended_at: z.string().nullish(),
});

export function repositoryOf(repository: GithubRepository): SourceRepository {
  return {
    id: repository.id,
    fullName: repository.full_name,
    defaultBranch: repository.default_branch,
    isPrivate: repository.private,
    isFork: repository.fork,
  };
}
