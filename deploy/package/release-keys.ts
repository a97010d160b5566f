/** The keys that the options of `npm run package` name, read before anything is built. */
import type { KeyObject } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fingerprintOf, readReleaseKeys, readSigningKey } from "@elastic/std/program-release/signature.ts";

export interface PackagingKeys {
  /** Null: the release is not signed. */
  readonly signing: KeyObject | null;
  /** Public keys in PEM that are built in; null for none. */
  readonly builtIn: string | null;
}

/** Throws with what is wrong with which file. */
export function readPackagingKeys(signKey: string | undefined, releaseKey: string | undefined): PackagingKeys {
  const signing = signKey === undefined ? null : readFrom("--sign-key", signKey, readSigningKey);
  if (signKey !== undefined && (statSync(signKey).mode & 0o077) !== 0) {
    throw new Error(`--sign-key ${signKey}: others may read it: chmod 600 ${signKey}, or make a new key`);
  }
  const builtIn = releaseKey === undefined ? null : readFrom("--release-key", releaseKey, (pem) => pem);
  if (releaseKey === undefined || builtIn === null) return { signing, builtIn };
  const keys = readFrom("--release-key", releaseKey, readReleaseKeys);
  if (signing !== null && !keys.some((key) => fingerprintOf(key) === fingerprintOf(signing))) {
    throw new Error(
      "--sign-key is not the private half of a key in --release-key: agents would refuse the next release",
    );
  }
  return { signing, builtIn };
}

function readFrom<T>(option: string, file: string, read: (text: string) => T): T {
  try {
    return read(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${option} ${file}: ${(error as Error).message}`);
  }
}
