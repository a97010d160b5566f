/**
 * Which links carry commands. The leader decides; to nodes that it does not hear its commands go by another coordinator,
 * which knows them from the store as well: the one with the lowest id of those that hear the node. Pure.
 */

export interface Hearing {
  /** Ids of the nodes that are heard. */
  readonly nodes: ReadonlySet<string>;
  /** Null where it does not lead. */
  readonly leaderEpoch: number | null;
  /** Whether it could lead. */
  readonly isCandidate: boolean;
}

export interface Relayed {
  /** Of the leader. */
  readonly epoch: number;
  readonly nodes: ReadonlySet<string>;
}

/** Of the coordinator `id`; null where it leads, or nobody is known to. */
export function relayedBy(id: string, own: Hearing, others: ReadonlyMap<string, Hearing>): Relayed | null {
  if (own.leaderEpoch !== null) return null;
  const leader = [...others.values()].reduce<Hearing | null>(newerLeader, null);
  if (leader?.leaderEpoch == null) return null;
  const before = [...others].filter(([other]) => other < id).map(([, hearing]) => hearing);
  const nodes = [...own.nodes].filter(
    (node) => !leader.nodes.has(node) && !before.some((other) => other.nodes.has(node)),
  );
  return { epoch: leader.leaderEpoch, nodes: new Set(nodes) };
}

/** Whether a leader hears so few that another should lead: less than half of what one hears that could. */
export function hearsFarFewer(own: Hearing, others: Iterable<Hearing>): boolean {
  return [...others].some(({ isCandidate, nodes }) => isCandidate && own.nodes.size < nodes.size / 2);
}

/** One that was deposed may not know it yet. */
function newerLeader(newest: Hearing | null, next: Hearing): Hearing | null {
  if (next.leaderEpoch === null) return newest;
  return newest?.leaderEpoch != null && newest.leaderEpoch > next.leaderEpoch ? newest : next;
}
