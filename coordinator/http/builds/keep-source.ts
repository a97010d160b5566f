/** The archive of a build, put together from the parts that were sent before. */
import { BlobCorruptError } from "../../blobs/blob-store.ts";
import type { ArchiveSource } from "../../domain/build.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { UnreferencedUploadDeps } from "../limits/unreferenced-uploads.ts";
import { Problem } from "../problems/problem.ts";
import { assertSent, type SentFile } from "../volumes/assert-sent.ts";

type Deps = UnreferencedUploadDeps & BlobDeps;

/** Throws a Problem that names the parts that are missing. One part is the archive itself. */
export async function keepSource(deps: Deps, teamId: string, parts: readonly SentFile[]): Promise<ArchiveSource> {
  await assertSent(deps, teamId, parts, "#/source/parts");
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return { kind: "archive", ...only };
  const { sha256 } = await deps.blobs.put(teamId, joined(deps, teamId, parts), {
    bytesMax: bytes,
    sparesReserve: true,
  });
  return { kind: "archive", sha256, bytes };
}

async function* joined({ blobs }: Deps, teamId: string, parts: readonly SentFile[]): AsyncGenerator<Uint8Array> {
  for (const [index, { sha256 }] of parts.entries()) {
    try {
      const blob = await blobs.open(teamId, sha256);
      if (blob === null) throw new Problem("files_missing", `The part ${sha256} is gone: send it again.`);
      yield* blob.stream as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw error instanceof BlobCorruptError ? damaged(index, error) : error;
    }
  }
}

function damaged(index: number, cause: BlobCorruptError): Problem {
  const detail = `The part ${cause.sha256} of the source is damaged in the storage, so no build was made of it: send it again, then this request.`;
  const errors = [{ pointer: `#/source/parts/${index}`, detail: "it is damaged: send it again" }];
  return new Problem("source_corrupt", detail, { errors, cause });
}
