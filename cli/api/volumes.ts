import { CliError } from "../errors/cli-error.ts";
import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import { listAll } from "./pages.ts";
import type { NewVolume, VolumeRecord } from "./records.ts";

/** The service takes no longer for a file. */
const UPLOAD_TIMEOUT_MS = 2 * 3_600_000;
/** A thousand files are looked at. */
const CREATE_TIMEOUT_MS = 120_000;

/** The volume, or the places in `files` of those that have to be sent first. */
export type Creation =
  | { readonly kind: "created"; readonly volume: VolumeRecord }
  | { readonly kind: "missing"; readonly files: readonly number[] };

/** Throws a CliError, but for files that the service lacks. */
export async function createVolume(caller: Caller, volume: NewVolume): Promise<Creation> {
  const body = JSON.stringify(volume);
  const request = { method: "POST", path: "/v1/volumes", body, timeoutMs: CREATE_TIMEOUT_MS } as const;
  try {
    return { kind: "created", volume: (await call(caller, request)) as VolumeRecord };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "files_missing") throw error;
    return { kind: "missing", files: error.pointers.flatMap(placeOf) };
  }
}

/** Sends a file as it is read; it is opened again for each attempt. */
export async function putVolumeFile(
  caller: Caller,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
  open: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  const headers = { "content-type": "application/octet-stream", "content-length": String(bytes) };
  const body = () => ReadableStream.from(open()) as ReadableStream<Uint8Array>;
  const path = `/v1/volumes/files/${sha256}`;
  await call(caller, { method: "PUT", path, body, headers, timeoutMs: UPLOAD_TIMEOUT_MS });
}

/** The team's volumes, newest first. */
export async function listVolumes(caller: Caller): Promise<readonly VolumeRecord[]> {
  return await listAll<VolumeRecord>(caller, "/v1/volumes");
}

export async function getVolume(caller: Caller, id: string): Promise<VolumeRecord> {
  return (await call(caller, { method: "GET", path: `/v1/volumes/${encodeURIComponent(id)}` })) as VolumeRecord;
}

export async function deleteVolume(caller: Caller, id: string): Promise<void> {
  await call(caller, { method: "DELETE", path: `/v1/volumes/${encodeURIComponent(id)}` });
}

function placeOf(pointer: string): readonly number[] {
  const place = /^#\/files\/(\d+)$/.exec(pointer)?.[1];
  return place === undefined ? [] : [Number(place)];
}
