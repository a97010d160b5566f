/** Makes a volume of files: computes their digests, requests the volume, sends what is missing, and requests it again. */
import { api } from "../api/client.ts";
import { ApiError, dataOf } from "../api/problem.ts";
import type { ChosenFile } from "./chosen-files.ts";
import { digestFile } from "./digest-file.ts";
import { putFile } from "./put-file.ts";
import type { Volume } from "./volumes-query.ts";

export interface UploadProgress {
  readonly doing: "reading" | "sending";
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** What was sent may be swept before the volume is made, where that takes long. */
const ROUNDS_MAX = 3;

interface Listed {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export async function uploadVolume(
  name: string,
  chosen: readonly ChosenFile[],
  report: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<Volume> {
  const files = await digestAll(chosen, report, signal);
  for (let round = 1; ; round++) {
    const missing = await tryToCreate(name, files);
    if (!Array.isArray(missing)) return missing;
    if (round === ROUNDS_MAX) throw new Error("Some files were gone again before the volume was made. Try again.");
    await sendAll(distinct(missing, files), { chosen, files }, report, signal);
  }
}

async function digestAll(
  chosen: readonly ChosenFile[],
  report: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<readonly Listed[]> {
  const totalBytes = chosen.reduce((sum, { file }) => sum + file.size, 0);
  const files: Listed[] = [];
  let doneBytes = 0;
  const read = (bytes: number) => {
    doneBytes += bytes;
    report({ doing: "reading", doneBytes, totalBytes });
  };
  for (const { path, file } of chosen) {
    files.push({ path, sha256: await digestFile(file, read, signal), bytes: file.size });
  }
  return files;
}

/** The volume, or the places of the files that were not sent yet. */
async function tryToCreate(name: string, files: readonly Listed[]): Promise<Volume | number[]> {
  try {
    return await dataOf(api.POST("/v1/volumes", { body: { name, files: [...files] } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "files_missing") throw error;
    return Object.keys(error.fields).map((pointer) => Number(/^#\/files\/(\d+)$/.exec(pointer)?.[1]));
  }
}

/** One place of those whose files are the same. */
function distinct(places: readonly number[], files: readonly Listed[]): readonly number[] {
  return [...new Map(places.map((place) => [files[place]?.sha256, place])).values()];
}

interface ToSend {
  readonly chosen: readonly ChosenFile[];
  readonly files: readonly Listed[];
}

async function sendAll(
  places: readonly number[],
  { chosen, files }: ToSend,
  report: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const totalBytes = places.reduce((sum, place) => sum + (files[place]?.bytes ?? 0), 0);
  let doneBytes = 0;
  for (const place of places) {
    const [listed, one] = [files[place], chosen[place]];
    if (listed === undefined || one === undefined) continue;
    const sent = (bytes: number) => report({ doing: "sending", doneBytes: doneBytes + bytes, totalBytes });
    await putFile(listed.sha256, one.file, sent, signal);
    doneBytes += listed.bytes;
  }
}
