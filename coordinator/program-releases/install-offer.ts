/** What a join line names in addition to the token and the authority, so that a bare machine installs what is meant. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fingerprintOf, pemOf } from "@elastic/std/program-release/signature.ts";
import { readAgentReleases } from "./agent-releases.ts";
import type { ReleasesPlace } from "./releases-folder.ts";

interface OfferedRelease {
  readonly platform: string;
  readonly version: string;
  readonly manifestSha256: string;
}

export interface InstallOffer {
  readonly installerSha256: string;
  /** Of the key that signed the releases, in PEM as it is served. */
  readonly keyFileSha256: string;
  /** The newest of each platform. */
  readonly releases: readonly OfferedRelease[];
}

/** The same in all coordinators of a version. */
export const INSTALLER = readFileSync(new URL("./install.sh", import.meta.url));

/** Null where there is no release to install. `complain` receives what is there and is not offered, a sentence each. */
export async function installOffer(
  place: ReleasesPlace,
  complain: (complaint: string) => void = () => undefined,
): Promise<InstallOffer | null> {
  const { releases, complaints } = await readAgentReleases(place);
  complaints.forEach(complain);
  const [newest] = releases;
  if (newest === undefined) return null;
  const keyFingerprint = fingerprintOf(newest.signedBy);
  const offered = new Map<string, OfferedRelease>();
  for (const { manifest, manifestSha256, signedBy } of releases) {
    const { platform, version } = manifest;
    if (offered.has(platform) || fingerprintOf(signedBy) !== keyFingerprint) continue;
    offered.set(platform, { platform, version, manifestSha256 });
  }
  const keyFileSha256 = sha256Of(pemOf(newest.signedBy));
  return { installerSha256: sha256Of(INSTALLER), keyFileSha256, releases: [...offered.values()] };
}

/** Lower-case hexadecimal. */
export function sha256Of(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
