/** The releases from which machines can have an agent: complete ones that list it. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ReleaseFile, ReleaseManifest } from "@elastic/std/program-release/manifest.ts";
import { type FoundReleases, type ReleasesPlace, readReleases, type ServedRelease } from "./releases-folder.ts";

/** An archive or a Debian package. */
const AGENT_FILE = /^elastic-agent[-_]/;

/** The newest first, with what is there and cannot be installed among the complaints. Throws where the keys cannot be read. */
export async function readAgentReleases(place: ReleasesPlace): Promise<FoundReleases> {
  const found = await readReleases(place);
  const complaints = [...found.complaints];
  const releases: ServedRelease[] = [];
  for (const release of found.releases) {
    const why = await whyNotInstallable(release);
    if (why === null) releases.push(release);
    else complaints.push(`${release.folder} is not offered: ${why}`);
  }
  return { releases, complaints };
}

/** Those that a machine may be installed from. */
export function agentFiles({ files }: ReleaseManifest): readonly ReleaseFile[] {
  return files.filter(({ name }) => AGENT_FILE.test(name));
}

async function whyNotInstallable({ folder, manifest }: ServedRelease): Promise<string | null> {
  const files = agentFiles(manifest);
  if (files.length === 0) return `release ${manifest.version} has no package of the agent`;
  for (const { name, size } of files) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found === null) return `${name}, which release ${manifest.version} lists, is not there: copy it there`;
    if (found.size !== size) return `${name} has ${found.size} of ${size} bytes: copy it there again`;
  }
  return null;
}
