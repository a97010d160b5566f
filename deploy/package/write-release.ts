/** The manifest of a folder of packages, and the signatures of it and of each of them. */
import type { KeyObject } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { MANIFEST_NAME, manifestText, type ReleaseFile } from "@elastic/std/program-release/manifest.ts";
import { SIGNATURE_SUFFIX, signatureOf } from "@elastic/std/program-release/signature.ts";
import { isIntact, isSignedIn, mergeFiles, releaseIn, removeSignatures } from "./release-in-folder.ts";
import { sha256OfFile } from "./sha256-of-file.ts";

/**
 * Raised where an agent needs what an older coordinator does not have, or cannot be upgraded to at once: see
 * docs/decisions/2026-11-26-schema-versions.md.
 */
const MINIMUM = { minimumCoordinator: "0.1.0", minimumAgent: "0.1.0" };

export interface PackagedFile {
  readonly path: string;
  readonly unpackedSize: number;
}

export interface ReleaseOptions {
  readonly folder: string;
  readonly version: string;
  readonly platform: string;
  readonly files: readonly PackagedFile[];
  /** Null: it is not signed. */
  readonly signing: KeyObject | null;
  /** Whether these are some of a release's files: what the folder's release of this version lists in addition stays in it. */
  readonly isPartial: boolean;
}

export interface WrittenRelease {
  /** What was packaged now. */
  readonly made: readonly ReleaseFile[];
  /** What is in the folder by this release and by what was packaged. */
  readonly files: readonly ReleaseFile[];
  /** What became of the manifest, for a person. */
  readonly text: string;
}

export async function writeRelease(options: ReleaseOptions): Promise<WrittenRelease> {
  const { folder, version, platform, signing } = options;
  const made: ReleaseFile[] = [];
  for (const { path, unpackedSize } of options.files) {
    made.push({ name: basename(path), sha256: await sha256OfFile(path), size: statSync(path).size, unpackedSize });
  }
  const path = join(folder, MANIFEST_NAME);
  const before = releaseIn(folder);
  const isSame = before !== null && before.version === version && before.platform === platform;
  const earlier = isSame && options.isPartial ? before.files.filter(({ name }) => existsSync(join(folder, name))) : [];
  const files = mergeFiles(earlier, made);
  const wasSigned = isSignedIn(folder);
  if (signing === null && wasSigned && isSame && options.isPartial && isIntact(before, made)) {
    const added = made.filter(({ name }) => before.files.every((file) => file.name !== name)).map(({ name }) => name);
    const left = added.length === 0 ? "" : ` and does not list ${added.join(", ")}: give --sign-key to add them`;
    return { made, files, text: `${path} is signed and stays as it is${left}` };
  }
  if (signing === null) removeSignatures(folder, made);
  writeFileSync(path, manifestText({ version, platform, ...MINIMUM, files }));
  if (signing === null) {
    const lost = wasSigned ? ": its signature was of other files and was removed; sign it again" : "";
    return { made, files, text: `${path} is not signed${lost}` };
  }
  for (const signed of [...options.files.map((file) => file.path), path]) {
    writeFileSync(`${signed}${SIGNATURE_SUFFIX}`, signatureOf(readFileSync(signed), signing));
  }
  return { made, files, text: `${path} is signed` };
}
