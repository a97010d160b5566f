/** What a build needs next: a place, an end, or another sentence in its record. One step at a time. Pure. */
import {
  BUILD_MEMORY_BYTES,
  BUILD_QUEUE_MS,
  BUILD_REPORT_MS,
  BUILD_RUNS_MAX,
  BUILD_TIMEOUT_MS,
  type Build,
  type BuildFailure,
  isOpen,
} from "../../domain/build.ts";
import { takesWorkloads } from "../../domain/node.ts";
import { type Fleet, takesMore } from "./choose-node.ts";
import type { BuildEntry, BuildPlace, NodeEntry } from "./entries.ts";
import { type Room, roomOf } from "./room.ts";

export type BuildStep =
  | { readonly kind: "assign"; readonly nodeId: string }
  | { readonly kind: "wait"; readonly for: string | null }
  | { readonly kind: "remove"; readonly place: BuildPlace }
  | { readonly kind: "cancel"; readonly place: BuildPlace | null }
  | { readonly kind: "requeue"; readonly place: BuildPlace | null }
  | { readonly kind: "fail"; readonly failure: BuildFailure; readonly place: BuildPlace | null };

export interface BuildSurroundings {
  /** The node that has the team's layers. */
  readonly home: string | null;
  /** Whether its service was deleted. */
  readonly isServiceGone: boolean;
}

/** Null when there is nothing to do. `now` is the wall clock. */
export function decideBuild(
  fleet: Fleet,
  entry: BuildEntry,
  { home, isServiceGone }: BuildSurroundings,
  now: number,
): BuildStep | null {
  const [place = null] = entry.places;
  const build = entry.read?.value;
  const state = build?.state;
  if (isServiceGone && build !== undefined && isOpen(build)) return { kind: "cancel", place };
  if (build !== undefined && state?.kind === "running") return follow(build, place, now);
  // Of a build that has ended, or that two coordinators placed.
  if (place !== null) return place.read === null ? null : { kind: "remove", place };
  return build !== undefined && state?.kind === "queued" ? placeIt(fleet, build, home, now) : null;
}

function follow(build: Build, place: BuildPlace | null, now: number): BuildStep | null {
  if (build.state.kind !== "running") return null;
  if (now - build.state.since > BUILD_TIMEOUT_MS + BUILD_REPORT_MS) {
    return { kind: "fail", failure: failure("timeout", "its machine did not report an end in time"), place };
  }
  const node = place?.node.read?.value;
  if (place !== null && (node?.state === "ready" || node?.state === "draining")) return null;
  if (build.runs < BUILD_RUNS_MAX) return { kind: "requeue", place };
  return { kind: "fail", failure: failure("node_lost", `its machine was lost, for the ${build.runs}th time`), place };
}

function placeIt(fleet: Fleet, build: Build, home: string | null, now: number): BuildStep | null {
  const builders = [...fleet.nodes.values()].filter((node) => buildsMaxOf(node) > 0);
  const free = builders.filter(
    (node) => takesMore(node, fleet) && isFree(node, build, roomOf(node, fleet.deployments)),
  );
  const [best] = free.sort((left, right) => rank(left, home) - rank(right, home) || (left.id < right.id ? -1 : 1));
  if (best !== undefined) return { kind: "assign", nodeId: best.id };
  if (now - build.state.since > BUILD_QUEUE_MS) {
    return {
      kind: "fail",
      failure: failure("no_builder", `no machine took it within ${BUILD_QUEUE_MS / 60_000} minutes`),
      place: null,
    };
  }
  const reason =
    builders.length === 0
      ? "a machine that builds images: none is part of the fleet"
      : "a machine with room for a build";
  return build.state.kind === "queued" && build.state.waitingFor === reason ? null : { kind: "wait", for: reason };
}

function buildsMaxOf(node: NodeEntry): number {
  return node.read?.value.inventory.builds ?? 0;
}

/** One build of a team at a time: they share its disk. */
function isFree(node: NodeEntry, { teamId }: Build, { memoryBytes }: Room): boolean {
  const record = node.read?.value;
  if (record === undefined || !takesWorkloads(record) || !node.linked) return false;
  if (node.builds.size >= buildsMaxOf(node) || memoryBytes < BUILD_MEMORY_BYTES) return false;
  return [...node.builds].every(({ value }) => value.teamId !== teamId);
}

/** Where the team's layers are; else the node with the least to build. */
function rank(node: NodeEntry, home: string | null): number {
  return node.id === home ? -1 : node.builds.size;
}

function failure(reason: BuildFailure["reason"], message: string): BuildFailure {
  return { reason, message, line: null };
}
