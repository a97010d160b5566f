/** How far an upgrade of the fleet's agents is, for people and programs. */
import type { AgentUpgrade } from "../domain/agent-upgrade.ts";
import type { View } from "../store/store.ts";

type Nodes = Pick<View, "nodes">;

export function upgradeText(upgrade: AgentUpgrade, view: Nodes): string {
  const { version, rollbackFrom, state, batch, canary } = upgrade;
  const what = rollbackFrom === null ? `upgrade to ${version}` : `roll-back from ${rollbackFrom} to ${version}`;
  const versions = Object.entries(versionsOf(view)).map(([name, count]) => `${name}: ${count}`);
  const lines = [
    `${what}: ${stateText(state)}`,
    `nodes by version  ${versions.join(", ") || "none"}`,
    ...(canary === undefined ? [] : [`first             ${canary.nodeId}`]),
    ...(batch.length === 0 ? [] : [`under way         ${batch.join(", ")}`]),
  ];
  if (state.kind !== "paused") return lines.join("\n");
  const next =
    "see to the node, then: elastic-coordinator upgrade resume, which passes over it, or elastic-coordinator upgrade rollback";
  return [...lines, next].join("\n");
}

export function upgradeJson(upgrade: AgentUpgrade, view: Nodes): string {
  const { version, rollbackFrom, state, batch, batchSize, startedAt, canary } = upgrade;
  return JSON.stringify({
    version,
    rollback_from: rollbackFrom,
    state: state.kind,
    why: state.kind === "paused" ? state.why : null,
    started: new Date(startedAt).toISOString(),
    canary: canary?.nodeId ?? null,
    batch,
    batch_size: batchSize,
    nodes_by_version: versionsOf(view),
  });
}

function stateText(state: AgentUpgrade["state"]): string {
  switch (state.kind) {
    case "running":
      return "under way";
    case "paused":
      return `paused: ${state.why}`;
    case "completed":
      return "complete";
  }
}

function versionsOf({ nodes }: Nodes): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { value } of nodes.values()) {
    if (value.state === "gone" || value.state === "joining") continue;
    counts[value.agentVersion] = (counts[value.agentVersion] ?? 0) + 1;
  }
  return counts;
}
