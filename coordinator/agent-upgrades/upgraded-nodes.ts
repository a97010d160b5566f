/** The nodes as an order to upgrade them looks at them: with what became of tasks on those that are upgraded now. */
import type { Instant } from "@elastic/std/clock.ts";
import type { AgentUpgrade, UpgradedNode } from "../domain/agent-upgrade.ts";
import type { Task } from "../domain/task.ts";
import type { View } from "../store/store.ts";

interface Counted {
  readonly since: Instant;
  succeeded: number;
  failed: number;
}

export function upgradedNodes(view: Pick<View, "nodes" | "tasks">, upgrade: AgentUpgrade): readonly UpgradedNode[] {
  const counted = new Map<string, Counted>();
  for (const id of upgrade.batch) {
    const since = Math.max(upgrade.batchSince, view.nodes.get(id)?.value.since ?? 0);
    counted.set(id, { since, succeeded: 0, failed: 0 });
  }
  if (counted.size > 0) {
    for (const { value } of view.tasks.begun()) count(counted, value);
    for (const id of view.tasks.endedEntries.keys()) {
      const task = view.tasks.get(id);
      if (task !== undefined) count(counted, task.value);
    }
  }
  return [...view.nodes.values()].map(({ value: { id, agentVersion, state, since } }) => {
    const { succeeded, failed } = counted.get(id) ?? { succeeded: 0, failed: 0 };
    return { id, agentVersion, state, since, succeeded, failed };
  });
}

/** Each attempt, for one that failed here may have succeeded elsewhere. */
function count(counted: ReadonlyMap<string, Counted>, { timeline }: Task): void {
  for (const [index, [at, event, nodeId]] of timeline.entries()) {
    const of = event === "started" ? counted.get(nodeId) : undefined;
    const over = timeline[index + 1];
    if (of === undefined || over === undefined || at < of.since) continue;
    if (over[1] === "succeeded") of.succeeded += 1;
    else if (!SAY_NOTHING.includes(String(over[2]))) of.failed += 1;
  }
}

/** Of somebody's wish, and of the task's own limits and input. */
const SAY_NOTHING: readonly string[] = ["cancelled", "queue_timeout", "run_timeout", "input_corrupt"];
