/**
 * What a release of the programs consists of. The exact bytes of this text are signed and nothing is ever written again from
 * what was parsed, so it needs no canonical form. A file is a line, for installers without a parser.
 */
import { isVersion } from "./version-order.ts";

export interface ReleaseFile {
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  /** What it takes on a disk once it is unpacked. */
  readonly unpackedSize: number;
}

export interface ReleaseManifest {
  readonly version: string;
  /** Such as `linux-x64`. */
  readonly platform: string;
  /** The oldest coordinator that the release's agent works with. */
  readonly minimumCoordinator: string;
  /** The oldest agent that may be upgraded to it at once. */
  readonly minimumAgent: string;
  readonly files: readonly ReleaseFile[];
}

/** Raised where a reader of an earlier one would misread the text. */
const FORMAT = 1;
export const MANIFEST_NAME = "release.json";
export const MANIFEST_BYTES_MAX = 64 * 1024;
const FILES_MAX = 64;
/** No path, no option, nothing that a shell reads. */
const FILE_NAME = /^[a-z0-9][A-Za-z0-9_.+-]{0,127}$/;
const PLATFORM = /^[a-z0-9]{1,16}-[a-z0-9]{1,16}$/;

export class ManifestError extends Error {
  override readonly name = "ManifestError";
}

function isPlatform(text: string): boolean {
  return PLATFORM.test(text);
}

export function manifestText({ files, ...manifest }: ReleaseManifest): string {
  const fields = Object.entries({ format: FORMAT, ...manifest }).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  const lines = files.map(({ name, sha256, size, unpackedSize }) =>
    JSON.stringify({ name, sha256, size, unpackedSize }),
  );
  return `{\n${fields.join("")}  "files": [\n${lines.map((line) => `    ${line}`).join(",\n")}\n  ]\n}\n`;
}

/** Throws a ManifestError. */
export function parseManifest(bytes: Buffer): ReleaseManifest {
  if (bytes.length > MANIFEST_BYTES_MAX) throw new ManifestError(`${MANIFEST_NAME} is larger than any release's`);
  const value = jsonOf(bytes);
  if (!isRecord(value)) throw new ManifestError(`${MANIFEST_NAME} is no JSON object`);
  if (value.format !== FORMAT) {
    throw new ManifestError(`${MANIFEST_NAME} has format ${JSON.stringify(value.format)}, and this program reads 1`);
  }
  const { files } = value;
  if (!Array.isArray(files) || files.length > FILES_MAX) throw new ManifestError(`${MANIFEST_NAME} lists no files`);
  return {
    version: versionOf(value, "version"),
    platform: textOf(value, "platform", isPlatform),
    minimumCoordinator: versionOf(value, "minimumCoordinator"),
    minimumAgent: versionOf(value, "minimumAgent"),
    files: files.map(fileOf),
  };
}

function fileOf(value: unknown): ReleaseFile {
  if (!isRecord(value)) throw new ManifestError(`${MANIFEST_NAME} lists a file that is no JSON object`);
  return {
    name: textOf(value, "name", (text) => FILE_NAME.test(text)),
    sha256: textOf(value, "sha256", (text) => /^[0-9a-f]{64}$/.test(text)),
    size: bytesOf(value, "size"),
    unpackedSize: bytesOf(value, "unpackedSize"),
  };
}

function versionOf(value: Readonly<Record<string, unknown>>, field: string): string {
  return textOf(value, field, isVersion);
}

function textOf(value: Readonly<Record<string, unknown>>, field: string, isValid: (text: string) => boolean): string {
  const text = value[field];
  if (typeof text === "string" && isValid(text)) return text;
  throw new ManifestError(`${MANIFEST_NAME} has no valid "${field}"`);
}

function bytesOf(value: Readonly<Record<string, unknown>>, field: string): number {
  const bytes = value[field];
  if (typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw new ManifestError(`${MANIFEST_NAME} has no valid "${field}"`);
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new ManifestError(`${MANIFEST_NAME} is no JSON: it was not transferred completely, or is none`);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
