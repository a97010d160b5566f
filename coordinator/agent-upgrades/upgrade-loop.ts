/** Carries out the operators' order to upgrade agents: batch by batch, on the leader. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { advanced, CURRENT_UPGRADE } from "../domain/agent-upgrade.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { UpgradeMetrics } from "../metrics/upgrade-metrics.ts";
import { replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import { upgradedNodes } from "./upgraded-nodes.ts";

const EVERY_MS = 5_000;

export interface UpgradeLoopOptions {
  readonly store: Pick<Store, "commit" | "view">;
  readonly clock: Clock;
  readonly isLeading: () => boolean;
  readonly loops: LoopMetrics;
  readonly metrics: UpgradeMetrics;
  readonly log: Logger;
}

export function startUpgradingAgents(options: UpgradeLoopOptions): Loop {
  const { isLeading: isActive, loops, metrics, log } = options;
  return startMeteredLoop({
    name: "upgrade_agents",
    everyMs: EVERY_MS,
    isActive,
    onInactive: () => metrics.paused(false),
    turn: () => advanceUpgrade(options),
    loops,
    log,
    failure: "the order to upgrade agents was not carried on",
  });
}

export async function advanceUpgrade({
  store,
  clock,
  metrics,
  log,
}: Pick<UpgradeLoopOptions, "store" | "clock" | "metrics" | "log">): Promise<void> {
  const order = store.view.agentUpgrades.get(CURRENT_UPGRADE);
  metrics.paused(order?.value.state.kind === "paused");
  if (order?.value.state.kind !== "running") return;
  const before = order.value;
  const after = advanced(before, upgradedNodes(store.view, before), clock.now());
  if (after === before) return;
  // One that an operator changed meanwhile is looked at in the next turn.
  const outcome = await store.commit([replace("agent-upgrades", order, after)]);
  if (outcome.kind === "conflict") return;
  const { version, state, batch } = after;
  if (state.kind === "paused") log.error({ version, why: state.why }, "the upgrade of agents is paused");
  else if (state.kind === "completed") log.info({ version }, "the upgrade of agents is complete");
  else log.info({ version, nodes: batch }, "upgrades the agents of these nodes");
}
