/** The step, once a tick, that releases nodes whose quarantine is over. */

import { newId } from "@elastic/std/ids.ts";
import { entriesOfCommit } from "../../audit/entries-of-commit.ts";
import { audit } from "../../auth/audit.ts";
import { OF_NO_TEAM } from "../../domain/audit-entry.ts";
import { released, releasedAt } from "../../domain/quarantine.ts";
import { create, replace } from "../../store/change.ts";
import type { NodeEntry } from "../decide/entries.ts";
import type { TurnContext } from "./turn-context.ts";

export function releaseQuarantines(context: TurnContext): void {
  const { view, clock, metrics, committer } = context;
  const quarantined = [...view.nodes.values()].filter(({ read }) => read?.value.drain?.quarantine !== undefined);
  metrics.scheduler.quarantined(quarantined.length);
  if (committer.isPaused()) return;
  const now = clock.now();
  for (const node of quarantined) {
    const quarantine = node.read?.value.drain?.quarantine;
    if (quarantine !== undefined && releasedAt(quarantine) <= now) commitRelease(context, node, now);
  }
}

function commitRelease({ view, committer, log }: TurnContext, node: NodeEntry, at: number): void {
  const { read } = node;
  if (read === null || node.pending) return;
  node.pending = true;
  const change = replace("nodes", read, released(read.value, at));
  const entries = entriesOfCommit(BY_ITSELF, [change], { nextId: () => newId(at), at });
  committer.commit([change, ...entries.map((entry) => create("audit-entries", entry))], {
    committed: () => audit(log, "node_released", { nodeId: node.id }),
    refused: () => {
      if (view.nodes.get(node.id)?.read === read) node.pending = false;
    },
  });
}

/** As a command of an operator would, for a coordinator is theirs. */
const BY_ITSELF = {
  action: "releaseNode",
  userId: null,
  credential: { kind: "operator", id: null },
  address: null,
  requestId: null,
  teamId: OF_NO_TEAM,
} as const;
