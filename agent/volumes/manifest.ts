/** The list of a volume's files, as a coordinator gave it: checked again, since its paths become paths of this machine. */

export interface VolumeFile {
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

export const MANIFEST_BYTES_MAX = 2 * 1024 * 1024;
const FILES_MAX = 1_000;
const SHA256 = /^[0-9a-f]{64}$/;
const PATH_BYTES_MAX = 1_024;

/** Throws an error that says what is wrong. */
export function parseManifest(text: string): readonly VolumeFile[] {
  const parsed = JSON.parse(text) as { readonly files?: unknown } | null;
  const files = parsed?.files;
  if (!Array.isArray(files) || files.length === 0 || files.length > FILES_MAX) {
    throw new Error(`the volume's list has not 1 to ${FILES_MAX} files`);
  }
  const paths = new Set<string>();
  return files.map((file: unknown) => {
    const read = readFile(file);
    if (paths.has(read.path)) throw new Error(`the volume's list names ${JSON.stringify(read.path)} twice`);
    paths.add(read.path);
    return read;
  });
}

function readFile(file: unknown): VolumeFile {
  const { path, sha256, bytes } = file as Readonly<Record<string, unknown>>;
  if (typeof path !== "string" || !isClean(path))
    throw new Error(`not a path within a volume: ${JSON.stringify(path)}`);
  if (typeof sha256 !== "string" || !SHA256.test(sha256)) throw new Error(`${path} has no digest`);
  if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 0) throw new Error(`${path} has no size`);
  return { path, sha256, bytes };
}

/** Relative, and leads nowhere but down. */
function isClean(path: string): boolean {
  if (path.includes("\0") || Buffer.byteLength(path) > PATH_BYTES_MAX) return false;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}
