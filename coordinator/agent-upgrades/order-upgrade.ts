/** The operators' orders to upgrade the agents of all nodes, and what changes one. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { type AgentUpgrade, CURRENT_UPGRADE, canaryComplaint, paused, resumed } from "../domain/agent-upgrade.ts";
import { create, replace } from "../store/change.ts";
import type { Store, View } from "../store/store.ts";
import { update } from "../store/update.ts";

/** Says what is in the way; nothing was changed. */
class UpgradeRefusal extends Error {
  override readonly name = "UpgradeRefusal";
}

export interface UpgradeOrder {
  readonly version: string;
  readonly enrollmentAddress: string;
  readonly batchSize: number;
  readonly nodeWithinMs: number;
  /** The node that goes first; the first by name where it is left out. */
  readonly canary?: string;
}

/** In place of one that has ended or is paused. */
export function startUpgrade(store: Store, order: UpgradeOrder, clock: Clock): Promise<AgentUpgrade> {
  return change(store, (before) => {
    if (before?.state.kind === "running") {
      throw new UpgradeRefusal(`the upgrade to ${before.version} is under way: pause it first. Nothing was changed`);
    }
    const { canary: nodeId, ...rest } = order;
    const ordered = orderOf({ ...rest, rollbackFrom: null, before: commonVersion(store.view) }, clock.now());
    if (nodeId === undefined) return ordered;
    const complaint = canaryComplaint(ordered, nodeId, store.view.nodes.get(nodeId)?.value);
    if (complaint !== null) {
      throw new UpgradeRefusal(
        `${complaint}: name a node as --canary that is READY or DRAINING and runs an earlier version than ${order.version}. ${NOTHING}`,
      );
    }
    return { ...ordered, canary: { nodeId, isReached: false } };
  });
}

export function pauseUpgrade(store: Store, clock: Clock): Promise<AgentUpgrade> {
  return change(store, (before) => {
    if (before?.state.kind !== "running") throw new UpgradeRefusal(`no upgrade is under way. ${NOTHING}`);
    return paused(before, "an operator paused it", clock.now());
  });
}

export function resumeUpgrade(store: Store, clock: Clock): Promise<AgentUpgrade> {
  return change(store, (before) => {
    if (before?.state.kind !== "paused") throw new UpgradeRefusal(`no upgrade is paused. ${NOTHING}`);
    return resumed(before, clock.now());
  });
}

/** The nodes that have the version of the order return to what most ran before it, in batches too. */
export function rollBackUpgrade(store: Store, clock: Clock): Promise<AgentUpgrade> {
  return change(store, (given) => {
    if (given === null || given.rollbackFrom !== null)
      throw new UpgradeRefusal(`there is no upgrade to take back. ${NOTHING}`);
    const { before, version } = given;
    if (before === null || before === version) {
      const hasNodes = [...store.view.nodes.values()].some(({ value }) => value.state !== "gone");
      const advice = hasNodes
        ? ": run elastic-agent upgrade --rollback on the nodes"
        : ", and there is no node that has it";
      throw new UpgradeRefusal(`no version is known from before the upgrade to ${version}${advice}. ${NOTHING}`);
    }
    return orderOf({ ...given, version: before, rollbackFrom: version, before: null }, clock.now());
  });
}

const NOTHING = "Nothing was changed";

function orderOf(
  order: Omit<UpgradeOrder, "canary"> & Pick<AgentUpgrade, "rollbackFrom" | "before">,
  now: number,
): AgentUpgrade {
  const { version, enrollmentAddress, batchSize, nodeWithinMs, rollbackFrom, before } = order;
  return {
    id: CURRENT_UPGRADE,
    orderId: newId(now),
    version,
    rollbackFrom,
    before,
    enrollmentAddress,
    batchSize,
    nodeWithinMs,
    startedAt: now,
    state: { kind: "running" },
    through: null,
    batch: [],
    batchSince: now,
  };
}

async function change(store: Store, decide: (before: AgentUpgrade | null) => AgentUpgrade): Promise<AgentUpgrade> {
  const { result } = await update(store, {
    read: () => store.get("agent-upgrades", CURRENT_UPGRADE),
    decide: (read) => {
      const result = decide(read?.value ?? null);
      return {
        changes: [read === null ? create("agent-upgrades", result) : replace("agent-upgrades", read, result)],
        result,
      };
    },
  });
  return result;
}

/** Of those that are linked. */
function commonVersion({ nodes }: Pick<View, "nodes">): string | null {
  const counts = new Map<string, number>();
  for (const { value } of nodes.values()) {
    if (value.state !== "ready" && value.state !== "draining") continue;
    counts.set(value.agentVersion, (counts.get(value.agentVersion) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
