/** Stores the input of a task that is to be created: a small one in the commit of its record, a large one as a blob before it. */
import { BlobCorruptError, BlobTooLargeError } from "../../blobs/blob-store.ts";
import { type StoredBytes, storeInputBytes } from "../../blobs/store-input-bytes.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { SMALL_BYTES_MAX } from "../../domain/limits.ts";
import { isExpired, LARGE_INPUT_BYTES_MAX } from "../../domain/upload.ts";
import { EgressError } from "../../egress/egress-error.ts";
import { unchanged } from "../../store/change.ts";
import type { Change } from "../../store/store.ts";
import { checkedJson } from "../body/json-stream.ts";
import type { TransferDeps } from "../body/transfers.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { EgressDeps } from "../deps/egress-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { Problem } from "../problems/problem.ts";
import type { InputSource } from "./read-task-request.ts";
import type { TaskBytesDeps } from "./task-bytes.ts";

/** Shorter than connections may be silent. */
const FETCH_WITHIN_MS = 240_000;

export interface StoredInput extends StoredBytes {
  /** What the task's commit relies on. */
  readonly relies: readonly Change[];
}

export interface InputOwner {
  readonly teamId: string;
  readonly key: AccessKey;
  /** Aborts when nobody waits for the response any more. */
  readonly signal: () => AbortSignal;
}

export interface InputDeps extends TaskBytesDeps, TransferDeps, EgressDeps, Pick<RecordDeps, "clock"> {}

export async function storeInput(deps: InputDeps, owner: InputOwner, source: InputSource): Promise<StoredInput> {
  if (source.kind === "inline") return await storeInline(deps, owner.teamId, source.bytes);
  if (source.kind === "upload") return await inputOfUpload(deps, owner.teamId, source.uploadId);
  const fetched = await deps.transfers.run(owner, () => fetchInput(deps, owner, source.url));
  return await inputOfBlob(deps, owner.teamId, fetched, []);
}

async function storeInline({ blobs }: BlobDeps, teamId: string, input: Buffer): Promise<StoredInput> {
  return { ...(await storeInputBytes(blobs, teamId, input)), relies: [] };
}

type Blob = Pick<StoredBytes["ref"], "bytes" | "sha256">;

/** Read from the store: another coordinator may have taken it a moment ago. */
async function inputOfUpload(
  deps: TaskBytesDeps & Pick<RecordDeps, "clock">,
  teamId: string,
  uploadId: string,
): Promise<StoredInput> {
  const upload = await deps.store.get("uploads", uploadId);
  if (upload === null || upload.value.teamId !== teamId || isExpired(upload.value, deps.clock.now())) {
    throw uploadNotFound("There is no such upload, or it has expired", "not found");
  }
  const { bytes, sha256 } = upload.value;
  try {
    // Forgotten meanwhile, its bytes could be swept before the task names them.
    return await inputOfBlob(deps, teamId, { bytes, sha256 }, [unchanged("uploads", upload)]);
  } catch (error) {
    if (!(error instanceof BlobCorruptError)) throw error;
    throw uploadNotFound("What was uploaded is damaged or missing", "damaged or missing", error);
  }
}

function uploadNotFound(sentence: string, why: string, cause?: unknown): Problem {
  return new Problem("upload_not_found", `${sentence}: send it again with POST /v1/uploads.`, {
    errors: [{ pointer: "#/input_upload_id", detail: why }],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Rejects with BlobCorruptError where the blob is missing, or small and damaged: a large one is compared when it is proven. */
async function inputOfBlob(
  deps: BlobDeps,
  teamId: string,
  blob: Blob,
  relies: readonly Change[],
): Promise<StoredInput> {
  const { bytes, sha256 } = blob;
  const large: StoredInput = { ref: { bytes, sha256, where: "blob" }, data: null, relies };
  if (bytes > SMALL_BYTES_MAX && (await deps.blobs.has(teamId, sha256))) return large;
  // Of a large one that is missing, this reports it.
  const opened = await deps.blobs.open(teamId, sha256, { bytes });
  if (opened === null) throw new BlobCorruptError(teamId, sha256, null);
  if (bytes > SMALL_BYTES_MAX) {
    opened.stream.destroy();
    return large;
  }
  return await storeInline(deps, teamId, Buffer.concat(await opened.stream.toArray()));
}

async function fetchInput({ egress, blobs }: BlobDeps & EgressDeps, owner: InputOwner, url: string): Promise<Blob> {
  const signal = owner.signal();
  try {
    const response = await egress.request(url, {
      method: "GET",
      timeoutMs: FETCH_WITHIN_MS,
      bytesMax: LARGE_INPUT_BYTES_MAX,
      signal,
    });
    if (response.status !== 200) {
      response.close();
      throw unreachable(`The host responded with status ${response.status}.`);
    }
    const body = checkedJson(response.body, "The response of the URL");
    return await blobs.put(owner.teamId, body, { bytesMax: LARGE_INPUT_BYTES_MAX, sparesReserve: true });
  } catch (error) {
    if (signal.aborted) throw new Problem("bad_request", "The client went away.", { cause: error });
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  const isTooLarge = error instanceof BlobTooLargeError || (error instanceof EgressError && error.code === "too_large");
  if (isTooLarge) {
    return new Problem("input_too_large", `The response of the URL has more than ${LARGE_INPUT_BYTES_MAX} bytes.`);
  }
  return error instanceof EgressError ? unreachable(error.message, error) : error;
}

function unreachable(why: string, cause?: unknown): Problem {
  return new Problem("input_unreachable", `The input could not be fetched. ${why}`, {
    errors: [{ pointer: "#/input_url", detail: why }],
    ...(cause === undefined ? {} : { cause }),
  });
}
