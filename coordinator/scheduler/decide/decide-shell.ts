/** What a shell needs next: a place, an end, or another word in its record. One step at a time. Pure. */
import type { FailureReason } from "../../domain/failure.ts";
import { endOfRun, isWanted, SHELL_START_MS, type Shell, type StopCause } from "../../domain/shell.ts";
import { whatShellLacks } from "../../domain/shell-outlook.ts";
import { needs } from "../../domain/suitable-node.ts";
import { type Choice, chooseNode, type Fleet, type Placeable } from "./choose-node.ts";
import type { NodeEntry, ShellEntry, ShellPlace } from "./entries.ts";

export type ShellStep =
  | { readonly kind: "assign"; readonly purpose: "run" | "erase"; readonly to: Choice }
  | { readonly kind: "remove"; readonly place: ShellPlace }
  | { readonly kind: "ready" }
  | { readonly kind: "coming_up"; readonly waitingFor: string | null }
  | { readonly kind: "stop"; readonly cause: StopCause }
  | { readonly kind: "fail"; readonly reason: FailureReason; readonly message: string }
  /** Its home is gone; so is the place that erased it, where there was one. */
  | { readonly kind: "erased"; readonly place: ShellPlace | null };

/** Null when there is nothing to do. `now` is the wall clock. */
export function decideShell(fleet: Fleet, entry: ShellEntry, now: number): ShellStep | null {
  const [place = null, ...others] = entry.places;
  if (others[0] !== undefined) return removal(others[0]);
  const shell = entry.read?.value;
  if (shell === undefined) return place && removal(place);
  if (shell.state.kind === "deleted") return erase(fleet, shell, place);
  if (!isWanted(shell)) return place && removal(place);
  const end = endOfRun(shell);
  if (end !== null && end.at <= now) return { kind: "stop", cause: end.cause };
  if (place?.node.read?.value.drain?.stopShells) return { kind: "stop", cause: "drain" };
  return place === null ? placeIt(fleet, shell, now) : follow(shell, place);
}

/** What is being created already comes down once it is there. */
function removal(place: ShellPlace): ShellStep | null {
  return place.read === null ? null : { kind: "remove", place };
}

function erase(fleet: Fleet, shell: Shell, place: ShellPlace | null): ShellStep | null {
  if (place !== null && place.value.workload.purpose === "run") return removal(place);
  if (shell.nodeId === null) return place && removal(place);
  // A machine that is out of the fleet for good takes the home along.
  const node = fleet.nodes.get(shell.nodeId)?.read?.value;
  if (node === undefined || node.state === "gone") return { kind: "erased", place };
  if (place === null) return { kind: "assign", purpose: "erase", to: { nodeId: shell.nodeId, gpuUuids: [] } };
  return place.workload?.value.phase === "ready" ? { kind: "erased", place } : null;
}

function placeIt(fleet: Fleet, shell: Shell, now: number): ShellStep | null {
  const home = shell.nodeId === null ? null : (fleet.nodes.get(shell.nodeId) ?? null);
  if (shell.nodeId !== null && (home === null || home.read?.value.state === "gone")) {
    const message = `its home was on node ${shell.nodeId}, which is no longer part of the fleet`;
    return { kind: "fail", reason: "node_lost", message };
  }
  const nodes = home === null ? nodesWithShells(fleet) : new Map([[home.id, home]]);
  const wish = { id: shell.id, image: shell.image, verifierImage: null, volume: null, resources: shell.resources };
  const isUnreadable = (kind: "deployments" | "shells" | "builds", id: string) =>
    fleet.isUnreadable?.(kind, id) ?? false;
  const to = chooseNode(wish, { nodes, deployments: fleet.deployments, isUnreadable }, new Set());
  if (to !== null) return { kind: "assign", purpose: "run", to };
  const waitingFor = home === null ? whyNotYet(wish, fleet) : whyNotAtHome(home, wish);
  // One with a home waits for its node as long as it lives; a new one would wait for a machine that nobody has.
  if (home === null && now - shell.runSince > SHELL_START_MS) {
    return {
      kind: "fail",
      reason: "start_timeout",
      message: `within ${SHELL_START_MS / 1000} s there was no node with room for ${needs(wish)}`,
    };
  }
  return said(shell, waitingFor);
}

function follow(shell: Shell, place: ShellPlace): ShellStep | null {
  const node = place.node.read?.value;
  if (node === undefined || node.state === "gone") return removal(place);
  const workload = place.workload?.value;
  if (workload?.phase === "failed") {
    const { reason, message } = workload.failure ?? { reason: "internal", message: "its node did not say why" };
    return { kind: "fail", reason, message };
  }
  if (node.state === "lost") return said(shell, awayText(place.node));
  if (workload?.phase !== "ready") return said(shell, null);
  return shell.state.kind === "ready" ? null : { kind: "ready" };
}

function said(shell: Shell, waitingFor: string | null): ShellStep | null {
  const { state } = shell;
  return state.kind === "creating" && state.waitingFor === waitingFor ? null : { kind: "coming_up", waitingFor };
}

function nodesWithShells({ nodes }: Fleet): ReadonlyMap<string, NodeEntry> {
  const withShells = [...nodes.values()].filter((node) => node.read?.value.inventory.shells);
  return new Map(withShells.map((node) => [node.id, node]));
}

function whyNotYet(wish: Placeable, fleet: Fleet): string {
  const known = [...fleet.nodes.values()].flatMap(({ read }) => (read === null ? [] : [read.value]));
  return whatShellLacks(wish, known) ?? `a node with room for ${needs(wish)}`;
}

function whyNotAtHome(home: NodeEntry, wish: Placeable): string {
  const { state, inventory } = home.read?.value ?? {};
  if (state === "lost" || !home.linked) return awayText(home);
  if (state === "draining") return `node ${home.id}, where its home is: it takes nothing new before it is resumed`;
  if (inventory?.diskPressure !== undefined) return `node ${home.id}, where its home is: ${inventory.diskPressure}`;
  return `room on node ${home.id}, where its home is, for ${needs(wish)}`;
}

function awayText({ id }: NodeEntry): string {
  return `node ${id}, where its home is: it is away`;
}
