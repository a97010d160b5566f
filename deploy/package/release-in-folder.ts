/** The release that a folder of packages has already, which packaging some of them again leaves consistent. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  MANIFEST_NAME,
  ManifestError,
  parseManifest,
  type ReleaseFile,
  type ReleaseManifest,
} from "@elastic/std/program-release/manifest.ts";
import { SIGNATURE_SUFFIX } from "@elastic/std/program-release/signature.ts";

/** Null where there is none, or none that can be read. */
export function releaseIn(folder: string): ReleaseManifest | null {
  const manifest = join(folder, MANIFEST_NAME);
  if (!existsSync(manifest)) return null;
  try {
    return parseManifest(readFileSync(manifest));
  } catch (error) {
    if (error instanceof ManifestError) return null;
    throw error;
  }
}

/** What the release lists, with the files that were made again in their places and new ones at the end. */
export function mergeFiles(earlier: readonly ReleaseFile[], made: readonly ReleaseFile[]): readonly ReleaseFile[] {
  const replaced = earlier.map((file) => made.find(({ name }) => name === file.name) ?? file);
  return [...replaced, ...made.filter(({ name }) => earlier.every((file) => file.name !== name))];
}

/** Whether a signature of the release is valid of all that it lists. */
export function isIntact(earlier: ReleaseManifest, made: readonly ReleaseFile[]): boolean {
  return earlier.files.every((file) => made.every(({ name, sha256 }) => name !== file.name || sha256 === file.sha256));
}

export function isSignedIn(folder: string): boolean {
  return existsSync(join(folder, `${MANIFEST_NAME}${SIGNATURE_SUFFIX}`));
}

/** Of the manifest and of what was made: they are of other bytes. */
export function removeSignatures(folder: string, made: readonly ReleaseFile[]): void {
  for (const name of [MANIFEST_NAME, ...made.map((file) => file.name)])
    rmSync(join(folder, `${name}${SIGNATURE_SUFFIX}`), { force: true });
}
