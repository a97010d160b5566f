/** How the scheduler sees the links to agents. Times are on this process's monotonic clock. */

/**
 * An agent that no coordinator has acknowledged for so long abandons what it runs, counted from when it sent the last
 * message that was acknowledged.
 */
export const FENCE_AFTER_MS = 12_000;

export interface Liveness {
  /** Whether there is a link, be it silent. */
  readonly kind: "linked" | "unlinked";
  /** When the last message of its agent came. */
  readonly lastSeenMs: number;
}

/** Says when it may have changed, but for time that passes. */
export interface FollowedLinks {
  /** Null for a node that never had a link. */
  of(nodeId: string): Liveness | null;
  /** Called when a link opens or ends. Returns the way to stop. */
  subscribe(listener: (nodeId: string) => void): () => void;
}

/** What two coordinators see of one node: it is linked where it is to either, and was seen when the later of them saw it. */
export function combined(one: Liveness | null, other: Liveness | null): Liveness | null {
  if (one === null || other === null) return one ?? other;
  const kind = one.kind === "linked" || other.kind === "linked" ? "linked" : "unlinked";
  return { kind, lastSeenMs: Math.max(one.lastSeenMs, other.lastSeenMs) };
}
