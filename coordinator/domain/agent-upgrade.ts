/**
 * An operators' order that the fleet's agents become another version: one node first, the canary where the operator has chosen one, then
 * batches, by the nodes' names.
 *
 *   running ⇄ paused     running ─▶ completed     any ─▶ running, by a new order
 *
 * It pauses where a node of the batch does not become healthy, or tasks fail there. The record has a cursor in place of a list
 * of nodes: those up to it have been reached, and one of them that comes back later is sent the order too.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { compareVersions, isVersion } from "@elastic/std/program-release/version-order.ts";
import type { NodeState } from "./node.ts";

type UpgradeState =
  | { readonly kind: "running" }
  | { readonly kind: "paused"; readonly at: Instant; readonly why: string }
  | { readonly kind: "completed"; readonly at: Instant };

export interface AgentUpgrade {
  readonly id: typeof CURRENT_UPGRADE;
  /** Agents act on each order once. */
  readonly orderId: string;
  readonly version: string;
  /** Of a roll-back: the version that it is from; nodes with another are passed over. Null for an upgrade. */
  readonly rollbackFrom: string | null;
  /** What most nodes ran before, which a roll-back returns to; null where there were none. */
  readonly before: string | null;
  /** `host:port` from which agents download it that do not know where they were enrolled. */
  readonly enrollmentAddress: string;
  readonly batchSize: number;
  /** How long a node may take, its drain included. */
  readonly nodeWithinMs: number;
  readonly startedAt: Instant;
  readonly state: UpgradeState;
  /** Every node up to this name has been reached; null before the first. */
  readonly through: string | null;
  /** The node that goes first, in place of the first by name. Absent where none was chosen. */
  readonly canary?: { readonly nodeId: string; readonly isReached: boolean };
  /** Of the nodes that are upgraded now. */
  readonly batch: readonly string[];
  readonly batchSince: Instant;
}

/** There is one order at a time. */
export const CURRENT_UPGRADE = "current";
/** Their names have room in a record. */
export const BATCH_MAX = 50;

/** What is decided by, of a node. */
export interface UpgradedNode {
  readonly id: string;
  readonly agentVersion: string;
  readonly state: NodeState;
  /** When it came into that state. */
  readonly since: Instant;
  /** Attempts that began there in that state, during the batch, and ended. */
  readonly succeeded: number;
  readonly failed: number;
}

/** A node is observed for so long once it accepts work again. */
const SETTLES_MS = 60_000;
/** Fewer failed tasks are a user's. */
const FAILED_MIN = 3;

/** Whether the node is to be sent the order. */
export function isOrdered(upgrade: AgentUpgrade, node: Pick<UpgradedNode, "id" | "agentVersion">): boolean {
  const { state, through, canary } = upgrade;
  const isReached =
    (through !== null && node.id <= through) || (canary?.isReached === true && node.id === canary.nodeId);
  return state.kind === "running" && isReached && isConcerned(upgrade, node);
}

/** Why the node cannot go first, in words; null where it can. */
export function canaryComplaint(
  upgrade: AgentUpgrade,
  nodeId: string,
  node: Pick<UpgradedNode, "id" | "agentVersion" | "state"> | undefined,
): string | null {
  if (node === undefined) return `there is no node ${nodeId}`;
  if (!isPresent(node)) return `node ${nodeId} is ${node.state}`;
  if (!isConcerned(upgrade, node)) return `node ${nodeId} runs ${node.agentVersion} already`;
  return null;
}

/** Whether it has another version than the order, which the order would change. */
function isConcerned(
  { version, rollbackFrom }: AgentUpgrade,
  { agentVersion }: Pick<UpgradedNode, "agentVersion">,
): boolean {
  if (agentVersion === version) return false;
  if (rollbackFrom !== null) return agentVersion === rollbackFrom;
  return !isVersion(agentVersion) || compareVersions(agentVersion, version) < 0;
}

/** The record after a look at the nodes; the same one where nothing is to be done. */
export function advanced(upgrade: AgentUpgrade, nodes: readonly UpgradedNode[], now: Instant): AgentUpgrade {
  if (upgrade.state.kind !== "running") return upgrade;
  const batch = nodes.filter(({ id, state }) => upgrade.batch.includes(id) && state !== "gone");
  for (const node of batch) {
    const why = whyFailed(upgrade, node, now);
    if (why !== null) return paused(upgrade, why, now);
  }
  if (!batch.every((node) => isSettled(upgrade, node, now))) return upgrade;
  const { through, batchSize, canary } = upgrade;
  if (canary?.isReached === false) return withCanary(upgrade, canary.nodeId, nodes, now);
  const left = nodes
    .filter((node) => isPresent(node) && isConcerned(upgrade, node) && (through === null || node.id > through))
    .map(({ id }) => id)
    .filter((id) => id !== canary?.nodeId)
    .toSorted((a, b) => (a < b ? -1 : 1));
  // The first one is alone.
  const next = left.slice(0, through === null && canary === undefined ? 1 : batchSize);
  const last = next.at(-1);
  if (last === undefined) return { ...upgrade, batch: [], state: { kind: "completed", at: now } };
  return { ...upgrade, batch: next, batchSince: now, through: last };
}

/** The canary alone. Where it can no longer be upgraded, the order pauses and has none any more. */
function withCanary(upgrade: AgentUpgrade, nodeId: string, nodes: readonly UpgradedNode[], now: Instant): AgentUpgrade {
  const node = nodes.find(({ id }) => id === nodeId);
  const complaint = canaryComplaint(upgrade, nodeId, node);
  if (complaint === null) {
    return { ...upgrade, canary: { nodeId, isReached: true }, batch: [nodeId], batchSince: now };
  }
  const { canary: _, ...without } = upgrade;
  return paused(without, `${complaint}, which was to go first: resume begins with another node`, now);
}

export function paused(upgrade: AgentUpgrade, why: string, now: Instant): AgentUpgrade {
  return { ...upgrade, state: { kind: "paused", at: now, why } };
}

/** With the nodes after those of the batch, which an operator has seen to. */
export function resumed(upgrade: AgentUpgrade, now: Instant): AgentUpgrade {
  return { ...upgrade, state: { kind: "running" }, batch: [], batchSince: now };
}

function isPresent({ state }: Pick<UpgradedNode, "state">): boolean {
  return state === "ready" || state === "draining";
}

function isSettled({ version, batchSince }: AgentUpgrade, node: UpgradedNode, now: Instant): boolean {
  return node.agentVersion === version && isPresent(node) && now - Math.max(batchSince, node.since) >= SETTLES_MS;
}

function whyFailed(upgrade: AgentUpgrade, node: UpgradedNode, now: Instant): string | null {
  const { version, batchSince, nodeWithinMs } = upgrade;
  const { id, agentVersion, state, succeeded, failed } = node;
  if (agentVersion === version && failed >= FAILED_MIN && failed > succeeded) {
    return `${failed} of ${failed + succeeded} attempts failed on node ${id} since it runs ${version}`;
  }
  if (now - batchSince <= nodeWithinMs) return null;
  const minutes = Math.round(nodeWithinMs / 60_000);
  if (agentVersion !== version)
    return `node ${id} runs ${agentVersion} still, ${minutes} min after it was sent the order`;
  return isPresent(node) ? null : `node ${id} is ${state} since it runs ${version}`;
}
