/** The step of a turn that gives shells their places, ends their runs and keeps their records true. */
import { newId } from "@elastic/std/ids.ts";
import type { ShellAssignment } from "../../domain/assignment.ts";
import { comingUp, erased, failed, placed, ready, type Shell, stopped } from "../../domain/shell.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, remove, replace } from "../../store/change.ts";
import type { Change } from "../../store/store.ts";
import type { Choice } from "../decide/choose-node.ts";
import { decideShell, type ShellStep } from "../decide/decide-shell.ts";
import type { ShellEntry, ShellPlace } from "../decide/entries.ts";
import { nodeEntry } from "../view/new-entries.ts";
import type { TurnContext } from "./turn-context.ts";

export function runShells(context: TurnContext): void {
  const { view, clock, isolation } = context;
  isolation.each("shell", view.shells.takeDirty(), (entry) => {
    if (entry.pending || isInDoubt(context, entry)) return;
    const step = decideShell(view, entry, clock.nowFor(entry.read?.value.runSince ?? 0));
    if (step !== null) take(context, entry, step);
  });
}

/** Whether it, or a node where it is or has its home, cannot be read: nothing of it may end then. */
function isInDoubt({ view }: TurnContext, { id, read, places }: ShellEntry): boolean {
  const nodeIds = [read?.value.nodeId ?? "", ...[...places].map(({ node }) => node.id)];
  return view.isUnreadable("shells", id) || nodeIds.some((nodeId) => view.isUnreadable("nodes", nodeId));
}

function take(context: TurnContext, entry: ShellEntry, step: ShellStep): void {
  const now = context.clock.now();
  const { read } = entry;
  if (step.kind === "remove")
    commit(context, entry, { changes: removalOf(step.place), decision: "took its place away" });
  if (read === null) return;
  switch (step.kind) {
    case "assign":
      assign(context, entry, read, step.purpose, step.to);
      break;
    case "erased": {
      const changes = [changed(read, erased), ...(step.place === null ? [] : removalOf(step.place))];
      commit(context, entry, { changes, decision: "erased its home" });
      break;
    }
    case "ready":
      commit(context, entry, { changes: [changed(read, (shell) => ready(shell, now))], decision: "is ready" });
      break;
    case "coming_up":
      commit(context, entry, {
        changes: [changed(read, (shell) => comingUp(shell, step.waitingFor, now))],
        decision: "is coming up",
      });
      break;
    case "stop":
      commit(context, entry, {
        changes: [changed(read, (shell) => stopped(shell, step.cause, now))],
        decision: step.cause,
      });
      break;
    case "fail":
      commit(context, entry, {
        changes: [changed(read, (shell) => failed(shell, step.reason, step.message, now))],
        decision: step.reason,
      });
  }
}

function assign(
  context: TurnContext,
  entry: ShellEntry,
  read: Versioned<Shell>,
  purpose: "run" | "erase",
  to: Choice,
): void {
  const { view, clock } = context;
  const { teamId, resources } = read.value;
  const assignment: ShellAssignment = {
    id: newId(clock.now()),
    nodeId: to.nodeId,
    teamId,
    slots: purpose === "erase" ? 0 : Math.max(1, resources.gpuCount),
    gpuUuids: to.gpuUuids,
    createdAt: clock.now(),
    workload: { kind: "shell", shellId: entry.id, purpose },
  };
  const place = view.shells.plan(assignment, view.nodes.get(to.nodeId) ?? nodeEntry(to.nodeId));
  // A shell that was stopped or deleted meanwhile gets nothing any more.
  const shell = changed(read, (before) => (purpose === "run" ? placed(before, to.nodeId) : before));
  commit(context, entry, {
    changes: [create("assignments", assignment), shell],
    decision: purpose === "run" ? "placed" : "is being erased",
    undo: () => view.shells.unplan(place),
  });
}

function changed(read: Versioned<Shell>, next: (shell: Shell) => Shell): Change {
  return replace("shells", read, next(read.value));
}

function removalOf({ read, workload }: ShellPlace): Change[] {
  if (read === null) return [];
  return [remove("assignments", read), ...(workload === null ? [] : [remove("workloads", workload)])];
}

interface Step {
  readonly changes: readonly Change[];
  readonly decision: string;
  readonly undo?: () => void;
}

/** One at a time for a shell. */
function commit(
  { view, committer, log, wake }: TurnContext,
  entry: ShellEntry,
  { changes, decision, undo }: Step,
): void {
  entry.pending = true;
  const settle = () => {
    entry.pending = false;
    view.shells.touch(entry);
  };
  committer.commit(changes, {
    committed: () => {
      log.info({ shellId: entry.id, decision }, "decided on a shell");
      settle();
      wake();
    },
    refused: () => {
      undo?.();
      settle();
    },
  });
}
