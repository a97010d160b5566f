/** What makes two builds of a team the same: the source and what is made of it, and nothing of when or by whom. Pure. */
import { createHash } from "node:crypto";
import type { ArchiveSource, BuildSettings } from "../domain/build.ts";

/** SHA-256, in hexadecimal. */
export function buildIdentity(source: ArchiveSource, { baseDir, buildFile, target, buildArgs }: BuildSettings): string {
  const args = Object.entries(buildArgs).sort(([left], [right]) => (left < right ? -1 : 1));
  const parts = ["archive", source.sha256, baseDir, buildFile, target, args];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
