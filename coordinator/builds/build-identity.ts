/** What makes two builds of a team the same: the source and what is made of it, and nothing of when or by whom. Pure. */
import { createHash } from "node:crypto";
import type { ArchiveSource, BuildSettings } from "../domain/build.ts";
import type { ServiceSource } from "../domain/service-source.ts";

export type Identified =
  | Pick<ArchiveSource, "kind" | "sha256">
  /** A host packs one commit differently at different times. */
  | { readonly kind: "commit"; readonly from: Pick<ServiceSource, "host" | "repositoryId">; readonly commit: string };

/** SHA-256, in hexadecimal. */
export function buildIdentity(source: Identified, { baseDir, buildFile, target, buildArgs }: BuildSettings): string {
  const args = Object.entries(buildArgs).sort(([left], [right]) => (left < right ? -1 : 1));
  const parts = [...partsOf(source), baseDir, buildFile, target, args];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function partsOf(source: Identified): readonly string[] {
  if (source.kind === "archive") return ["archive", source.sha256];
  return ["commit", source.from.host, source.from.repositoryId, source.commit];
}
