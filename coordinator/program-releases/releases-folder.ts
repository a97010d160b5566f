/**
 * The releases of the programs that this coordinator hands to machines: a folder of folders, each with what `npm run package`
 * wrote and its signature. Machines verify the signature themselves; it is verified here so that a wrong one is found earlier.
 */
import { createHash, type KeyObject } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST_NAME, parseManifest, type ReleaseManifest } from "@elastic/std/program-release/manifest.ts";
import { isSigned, SIGNATURE_SUFFIX } from "@elastic/std/program-release/signature.ts";
import { readTrustedKeys } from "@elastic/std/program-release/trusted-keys.ts";
import { compareVersions } from "@elastic/std/program-release/version-order.ts";

export interface ReleasesPlace {
  readonly folder: string;
  /** Of public keys. */
  readonly keysFile: string;
}

/** As configured. */
export function releasesPlace(config: { readonly releasesDir: string; readonly releaseKeys: string }): ReleasesPlace {
  return { folder: config.releasesDir, keysFile: config.releaseKeys };
}

export interface ServedRelease {
  readonly folder: string;
  readonly manifest: ReleaseManifest;
  /** Of the manifest's bytes. */
  readonly manifestSha256: string;
  readonly signedBy: KeyObject;
}

export interface FoundReleases {
  /** The newest first. */
  readonly releases: readonly ServedRelease[];
  /** What is there and is not served, a sentence each. */
  readonly complaints: readonly string[];
}

/** Versions side by side; more are a mistake. */
const FOLDERS_MAX = 100;

/** Throws where the keys cannot be read. */
export async function readReleases({ folder, keysFile }: ReleasesPlace): Promise<FoundReleases> {
  const names = await foldersIn(folder);
  if (names.length === 0) return { releases: [], complaints: [] };
  const keys = readTrustedKeys(keysFile);
  const complaints: string[] = [];
  const releases: ServedRelease[] = [];
  for (const name of names) {
    try {
      releases.push(await readRelease(join(folder, name), keys, keysFile));
    } catch (error) {
      complaints.push(`${join(folder, name)} is not served: ${(error as Error).message}`);
    }
  }
  releases.sort((a, b) => compareVersions(b.manifest.version, a.manifest.version));
  return { releases, complaints };
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const folders = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith("."));
    return folders
      .map(({ name }) => name)
      .toSorted()
      .slice(0, FOLDERS_MAX);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function readRelease(folder: string, keys: readonly KeyObject[], keysFile: string): Promise<ServedRelease> {
  const bytes = await readFile(join(folder, MANIFEST_NAME));
  const signature = await readFile(join(folder, `${MANIFEST_NAME}${SIGNATURE_SUFFIX}`));
  const signedBy = keys.find((key) => isSigned(bytes, signature, [key]));
  if (signedBy === undefined) throw new Error(`no key in ${keysFile} signed its ${MANIFEST_NAME}`);
  const manifestSha256 = createHash("sha256").update(bytes).digest("hex");
  return { folder, manifest: parseManifest(bytes), manifestSha256, signedBy };
}
