/** What has to be done so that this node runs what it is assigned and nothing else. Decides and does nothing. */
import type { FoundWorkload } from "../domain/driver.ts";
import type { WorkloadSpec } from "../domain/workload-spec.ts";

/** A workload that this process keeps up or is about to end. */
export interface CurrentWorkload {
  readonly spec: Pick<WorkloadSpec, "assignmentId" | "gpuUuids">;
  readonly stopping: boolean;
}

export type Action =
  /** `found` stands from an earlier process and may be taken over. It waits for `after` to be gone. */
  | {
      readonly kind: "start";
      readonly spec: WorkloadSpec;
      readonly found: FoundWorkload | null;
      readonly after: readonly string[];
    }
  | { readonly kind: "stop"; readonly assignmentId: string }
  /** Left by an earlier process and assigned no longer, or twice. */
  | { readonly kind: "remove"; readonly found: FoundWorkload };

export function plan(
  wanted: readonly WorkloadSpec[],
  current: readonly CurrentWorkload[],
  found: readonly FoundWorkload[],
): readonly Action[] {
  const wantedIds = new Set(wanted.map((spec) => spec.assignmentId));
  const leaving = current.filter(({ spec, stopping }) => stopping || !wantedIds.has(spec.assignmentId));
  const stops: Action[] = current
    .filter(({ spec, stopping }) => !stopping && !wantedIds.has(spec.assignmentId))
    .map(({ spec }) => ({ kind: "stop", assignmentId: spec.assignmentId }));

  const staying = new Set(current.map(({ spec }) => spec.assignmentId));
  const adopted = new Set<FoundWorkload>();
  const starts: Action[] = [];
  for (const spec of wanted) {
    if (staying.has(spec.assignmentId)) continue;
    const own = found.find((candidate) => candidate.assignmentId === spec.assignmentId) ?? null;
    if (own !== null) adopted.add(own);
    starts.push({ kind: "start", spec, found: own, after: holdersOf(spec, leaving) });
  }
  const removals: Action[] = found
    .filter((each) => !adopted.has(each))
    .map((each) => ({ kind: "remove", found: each }));
  return [...stops, ...removals, ...starts];
}

/** A GPU belongs to one workload at a time: whoever leaves must be gone first. */
function holdersOf(spec: WorkloadSpec, leaving: readonly CurrentWorkload[]): readonly string[] {
  return leaving
    .filter((other) => other.spec.gpuUuids.some((uuid) => spec.gpuUuids.includes(uuid)))
    .map((other) => other.spec.assignmentId);
}
