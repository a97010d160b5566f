/** Builds as the commands print them. */
import type { BuildRecord } from "../api/records.ts";
import { columns } from "./columns.ts";
import { sizeText } from "./size-text.ts";

export function isOpenBuild({ phase }: Pick<BuildRecord, "phase">): boolean {
  return phase === "queued" || phase === "running";
}

export function buildLines(builds: readonly BuildRecord[]): string {
  return columns(
    ["BUILD ID", "PHASE", "CREATED", "SECONDS", "SIZE", "TAG", "NOTE"],
    builds.map((build) => [
      build.build_id,
      build.phase,
      build.created,
      secondsText(build),
      build.image_bytes === null ? "" : sizeText(build.image_bytes),
      build.image_tag,
      noteOf(build),
    ]),
  );
}

function secondsText({ stages }: BuildRecord): string {
  return stages.length === 0 ? "" : stages.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1);
}

function noteOf({ failure, waiting_for: waitingFor, reused_from: reusedFrom }: BuildRecord): string {
  if (failure !== null) return failure.line === null ? failure.reason : `${failure.reason}, line ${failure.line}`;
  if (waitingFor !== null) return `waits for ${waitingFor}`;
  return reusedFrom === null ? "" : `as ${reusedFrom}`;
}
