/** What a user can do about a build that failed, with the commands for it. Pure. */
import { BUILD_FAILURE_ADVICE } from "@elastic/proto/build-failure-advice.ts";
import type { BuildRecord } from "../api/records.ts";

type Reason = NonNullable<BuildRecord["failure"]>["reason"];

/** Where the same source may have another end without anything being changed. */
const MAY_PASS: ReadonlySet<Reason> = new Set<Reason>([
  "source_unavailable",
  "registry_unavailable",
  "no_builder",
  "node_lost",
  "internal",
]);

/** Of a build that ended without an image; one without a failure was cancelled. */
export function nextAfter({ build_id: id, failure }: Pick<BuildRecord, "build_id" | "failure">): string {
  const logs = `\`elastic build logs ${id}\` shows what it wrote`;
  const retry = `\`elastic build retry ${id}\` builds the same source again`;
  if (failure === null) return `${logs}; ${retry}.`;
  const advice = BUILD_FAILURE_ADVICE[failure.reason] ?? "";
  return `${advice} ${MAY_PASS.has(failure.reason) ? retry : logs}.`.trimStart();
}
