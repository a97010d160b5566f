/** The files of a commit. GitLab sends them itself, to the project's own token. */
import type { Readable } from "node:stream";
import { downloadArchive } from "../download-archive.ts";
import { failureOf, type HostApi } from "../host-api.ts";
import { commitIdSchema } from "../host-records.ts";
import type { ArchiveLimits, RepositoryRef } from "../source-host.ts";
import { SourceHostError } from "../source-host-error.ts";
import { readProject } from "./read-projects.ts";

export async function openArchive(
  api: HostApi,
  ref: RepositoryRef,
  commit: string,
  limits: ArchiveLimits,
): Promise<Readable> {
  if (!commitIdSchema.safeParse(commit).success) throw new SourceHostError("ref_invalid");
  await readProject(api, ref);
  const location = new URL(`${api.base}/projects/${ref.repositoryId}/repository/archive.tar.gz?sha=${commit}`);
  const headers = { ...api.headersOf(ref.credential ?? ""), accept: "*/*" };
  return downloadArchive(location, headers, limits, (status) => {
    if (status === 404) return new SourceHostError("ref_unknown");
    return status === 401 || status === 403 ? failureOf({ status, headers: new Headers(), body: undefined }) : null;
  });
}
