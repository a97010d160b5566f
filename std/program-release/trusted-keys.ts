/** The public keys of releases that this machine trusts: those of a file, or else those that its package was built with. */
import type { KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { ReleaseKeyError, readReleaseKeys } from "./signature.ts";

/** Of a machine's configuration. In its place a package may have one below its root (deploy/package/). */
export const RELEASE_KEYS_FILE = "/etc/elastic/release-keys.pem";
const BUILT_IN = new URL("../../release-keys.pem", import.meta.url);

/** Empty where there are none. A file goes before what is built in, so that a key can be withdrawn. Throws a ReleaseKeyError. */
export function readTrustedKeys(file: string): readonly KeyObject[] {
  const path = existsSync(file) ? file : BUILT_IN;
  if (!existsSync(path)) return [];
  try {
    return readReleaseKeys(readFileSync(path, "utf8"));
  } catch (error) {
    throw new ReleaseKeyError(`the release keys in ${file} cannot be used: ${(error as Error).message}`);
  }
}
