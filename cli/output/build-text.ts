/** Builds as the commands print them. */
import type { BuildRecord } from "../api/records.ts";
import { columns } from "./columns.ts";
import { sizeText } from "./size-text.ts";

const COMMIT_DIGITS = 7;

/** Whether it is queued or runs. */
export function isOpenBuild({ phase }: Pick<BuildRecord, "phase">): boolean {
  return phase === "queued" || phase === "running";
}

/** `now` is the wall clock, for builds that run. */
export function buildLines(builds: readonly BuildRecord[], now: number): string {
  return columns(
    ["BUILD ID", "PHASE", "CREATED", "SECONDS", "SIZE", "TAG", "COMMIT", "NOTE"],
    builds.map((build) => [
      build.build_id,
      build.phase,
      build.created,
      secondsText(build, now),
      build.image_bytes === null ? "" : sizeText(build.image_bytes),
      build.image_tag,
      commitOf(build),
      noteOf(build),
    ]),
  );
}

/** From the start to the end, or so far: the stages leave out what is between them, and the one that runs. */
function secondsText({ started, finished }: BuildRecord, now: number): string {
  if (started === null) return "";
  const endedMs = finished === null ? now : instantOf(finished);
  return String(Math.max(0, Math.round((endedMs - instantOf(started)) / 1000)));
}

/** Timestamps of records are UTC, without an offset. */
function instantOf(timestamp: string): number {
  return Date.parse(`${timestamp}Z`);
}

/** The branch, as people name it, and the commit once it is known; of a folder that was sent, nothing. */
function commitOf({ repository }: BuildRecord): string {
  if (repository === null) return "";
  const ref = repository.ref.replace(/^refs\/(heads|tags)\//, "");
  return repository.commit === null ? ref : `${ref} ${repository.commit.slice(0, COMMIT_DIGITS)}`;
}

function noteOf({ failure, waiting_for: waitingFor, reused_from: reusedFrom }: BuildRecord): string {
  if (failure !== null) return failure.line === null ? failure.reason : `${failure.reason}, line ${failure.line}`;
  if (waitingFor !== null) return `waits for ${waitingFor}`;
  return reusedFrom === null ? "" : `as ${reusedFrom}`;
}
