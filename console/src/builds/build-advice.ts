/** What a user can do about a build that failed, where its message does not say it itself. Pure. */
import { BUILD_FAILURE_ADVICE } from "@elastic/proto/build-failure-advice.ts";
import type { components } from "elastic-client/gen/schema.ts";

type Build = components["schemas"]["Build"];
type Reason = NonNullable<Build["failure"]>["reason"];

/** What a build of a repository is made from is set on the page Source of its service. */
const OF_A_REPOSITORY: Readonly<Partial<Record<Reason, string>>> = {
  build_file_missing:
    "Correct Folder, under Source, to the one that has the Dockerfile, or run elastic init in that folder and push it.",
};

export function buildAdvice(reason: Reason, { repository }: Pick<Build, "repository">): string | null {
  return (repository === null ? undefined : OF_A_REPOSITORY[reason]) ?? BUILD_FAILURE_ADVICE[reason];
}

/** Whether the source that is set may be what is wrong: its branch, its folder, or its connection. */
export function isOfSource(reason: Reason, { repository }: Pick<Build, "repository">): boolean {
  return repository !== null && SOURCE_REASONS.has(reason);
}

const SOURCE_REASONS: ReadonlySet<Reason> = new Set(["source_unavailable", "source_invalid", "build_file_missing"]);
