/**
 * Which links carry commands. The leader decides; to nodes that it does not reach its commands go by another coordinator,
 * which knows them from the store as well: the one with the lowest id of those that reach the node. Pure.
 */

export interface Reach {
  /** Ids of the nodes that it reaches. */
  readonly nodes: ReadonlySet<string>;
  /** Of those to which it can send nothing, while heartbeats of their agents' threads arrive. */
  readonly unresponsive: ReadonlySet<string>;
  /** Null where it does not lead. */
  readonly leaderEpoch: number | null;
  /** Whether it could lead. */
  readonly isCandidate: boolean;
  /** Whether it has all that commanded agents fetch from it: a gateway has not. */
  readonly canCommand: boolean;
}

export interface Relayed {
  /** Of the leader. */
  readonly epoch: number;
  readonly nodes: ReadonlySet<string>;
}

/** Of the coordinator `id`; null where it leads, or nobody is known to. */
export function relayedBy(id: string, own: Reach, others: ReadonlyMap<string, Reach>): Relayed | null {
  if (own.leaderEpoch !== null || !own.canCommand) return null;
  const leader = [...others.values()].reduce<Reach | null>(newerLeader, null);
  if (leader?.leaderEpoch == null) return null;
  const before = [...others].filter(([other, { canCommand }]) => canCommand && other < id).map(([, reach]) => reach);
  const nodes = [...own.nodes].filter(
    (node) => !leader.nodes.has(node) && !before.some((other) => other.nodes.has(node)),
  );
  return { epoch: leader.leaderEpoch, nodes: new Set(nodes) };
}

/** Whether a leader reaches so few that another should lead: less than half of what one reaches that could. */
export function reachesFarFewer(own: Reach, others: Iterable<Reach>): boolean {
  return [...others].some(({ isCandidate, nodes }) => isCandidate && own.nodes.size < nodes.size / 2);
}

/** One that was deposed may not know it yet. */
function newerLeader(newest: Reach | null, next: Reach): Reach | null {
  if (next.leaderEpoch === null) return newest;
  return newest?.leaderEpoch != null && newest.leaderEpoch > next.leaderEpoch ? newest : next;
}
