/** The step of a turn that gives builds their places, and takes those away that ended. */
import { newId } from "@elastic/std/ids.ts";
import type { BuildAssignment } from "../../domain/assignment.ts";
import { type Build, cancelled, failed, requeued, running, waiting } from "../../domain/build.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, remove, replace } from "../../store/change.ts";
import type { Change } from "../../store/store.ts";
import { type BuildStep, decideBuild } from "../decide/decide-build.ts";
import type { BuildEntry, BuildPlace } from "../decide/entries.ts";
import { orderBuilds } from "../decide/order-builds.ts";
import { nodeEntry } from "../view/new-entries.ts";
import type { TurnContext } from "./turn-context.ts";

export function runBuilds(context: TurnContext): void {
  const { view, clock, isolation } = context;
  const dirty = [...view.builds.takeDirty()].map((entry) => {
    const { teamId = "", serviceId = "", state } = entry.read?.value ?? {};
    return { id: entry.id, teamId, serviceId, since: state?.since ?? 0, entry };
  });
  const ordered = orderBuilds(dirty, (team) => view.builds.lastRunOf(team));
  isolation.each("build", ordered, ({ teamId, serviceId, since, entry }) => {
    if (entry.pending || isInDoubt(context, entry)) return;
    const isServiceGone = view.services.get(serviceId)?.read?.value.state.kind === "deleted";
    const around = { home: view.builds.nodeOfTeam(teamId), isServiceGone };
    const step = decideBuild(view, entry, around, clock.nowFor(since));
    if (step !== null) carryOut(context, entry, step);
  });
}

/** Whether it, or the node where it runs, cannot be read: nothing of it may end then. */
function isInDoubt({ view }: TurnContext, { id, places }: BuildEntry): boolean {
  return view.isUnreadable("builds", id) || [...places].some(({ node }) => view.isUnreadable("nodes", node.id));
}

function carryOut(context: TurnContext, entry: BuildEntry, step: BuildStep): void {
  const now = context.clock.now();
  const { read } = entry;
  if (step.kind === "remove") commit(context, entry, removalOf(step.place), "ended");
  if (read === null) return;
  const changed = (next: Build): Change => replace("builds", read, next);
  switch (step.kind) {
    case "assign":
      assign(context, entry, read, step.nodeId);
      break;
    case "wait":
      commit(context, entry, [changed(waiting(read.value, step.for))], "waits");
      break;
    case "cancel":
      commit(context, entry, [changed(cancelled(read.value, now)), ...removalOf(step.place)], "service_deleted");
      break;
    case "requeue":
      commit(context, entry, [changed(requeued(read.value, now)), ...removalOf(step.place)], "requeued");
      break;
    case "fail":
      commit(
        context,
        entry,
        [changed(failed(read.value, step.failure, now)), ...removalOf(step.place)],
        step.failure.reason,
      );
  }
}

function assign(context: TurnContext, entry: BuildEntry, read: Versioned<Build>, nodeId: string): void {
  const { view, clock } = context;
  const now = clock.now();
  const assignment: BuildAssignment = {
    id: newId(now),
    nodeId,
    teamId: read.value.teamId,
    slots: 0,
    gpuUuids: [],
    createdAt: now,
    workload: { kind: "build", buildId: entry.id },
  };
  const place = view.builds.plan(assignment, view.nodes.get(nodeId) ?? nodeEntry(nodeId));
  const build = replace("builds", read, running(read.value, { assignmentId: assignment.id, nodeId }, now));
  commit(context, entry, [create("assignments", assignment), build], "placed", () => view.builds.unplan(place));
}

function removalOf(place: BuildPlace | null): Change[] {
  return place === null || place.read === null ? [] : [remove("assignments", place.read)];
}

/** One at a time for a build. */
function commit(
  { view, committer, log, wake }: TurnContext,
  entry: BuildEntry,
  changes: readonly Change[],
  decision: string,
  undo?: () => void,
): void {
  entry.pending = true;
  const settle = () => {
    entry.pending = false;
    view.builds.touch(entry);
  };
  committer.commit(changes, {
    committed: () => {
      log.info({ buildId: entry.id, decision }, "decided on a build");
      settle();
      wake();
    },
    refused: () => {
      undo?.();
      settle();
    },
  });
}
