/** Whether files that a request names were sent before, each with PUT /v1/volumes/files/:sha256. */
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { UnreferencedUploadDeps } from "../limits/unreferenced-uploads.ts";
import { invalidRequest, Problem, type ProblemError } from "../problems/problem.ts";

export interface SentFile {
  readonly sha256: string;
  readonly bytes: number;
}

/** Files that are looked at at a time. */
const LOOKS_AT_ONCE = 16;

/**
 * Also makes them young: until a record names them, no sweep may take them. `pointer` is the list's own place in the
 * request. Throws a Problem: 409 `files_missing` for those that are not there, 422 for those of another size.
 */
export async function assertSent(
  { blobs, unreferencedUploads }: UnreferencedUploadDeps & BlobDeps,
  teamId: string,
  files: readonly SentFile[],
  pointer: string,
): Promise<void> {
  const missing: ProblemError[] = [];
  const wrong: ProblemError[] = [];
  for (let at = 0; at < files.length; at += LOOKS_AT_ONCE) {
    const look = async ({ sha256, bytes }: SentFile, index: number): Promise<void> => {
      const found = await blobs.renew(teamId, sha256);
      if (found !== null) unreferencedUploads.add(teamId, sha256, found.bytes);
      if (found === null) missing.push({ pointer: `${pointer}/${at + index}`, detail: `${sha256} was not sent` });
      else if (found.bytes !== bytes) {
        wrong.push({ pointer: `${pointer}/${at + index}/bytes`, detail: `the file has ${found.bytes} bytes` });
      }
    };
    await Promise.all(files.slice(at, at + LOOKS_AT_ONCE).map(look));
  }
  if (wrong.length > 0) throw invalidRequest(wrong);
  if (missing.length === 0) return;
  const detail = `${missing.length} of ${files.length} files were not sent yet: PUT each to /v1/volumes/files/<sha256>.`;
  throw new Problem("files_missing", detail, { errors: missing });
}
