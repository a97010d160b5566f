/** `elastic-agent verify-release`: whether a release is of whom this machine takes releases from. */
import { readFileSync } from "node:fs";
import { parseManifest } from "@elastic/std/program-release/manifest.ts";
import { fingerprintOf, isSigned, SIGNATURE_SUFFIX } from "@elastic/std/program-release/signature.ts";
import { readTrustedKeys } from "@elastic/std/program-release/trusted-keys.ts";

/** Returns the text to print. Throws where no key signed it. */
export function verifyRelease(manifestFile: string, keysFile: string): string {
  const keys = readTrustedKeys(keysFile);
  if (keys.length === 0) throw new Error(`there are no release keys in ${keysFile}: nothing can be verified`);
  const bytes = readFileSync(manifestFile);
  const signature = readFileSync(`${manifestFile}${SIGNATURE_SUFFIX}`);
  const signedBy = keys.find((key) => isSigned(bytes, signature, [key]));
  if (signedBy === undefined) throw new Error(`no key in ${keysFile} signed ${manifestFile}`);
  const { version, platform } = parseManifest(bytes);
  return `release ${version} for ${platform} is signed by the key ${fingerprintOf(signedBy)}`;
}
