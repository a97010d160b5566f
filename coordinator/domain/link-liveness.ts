/** How the scheduler sees the links to agents. Times are on this process's monotonic clock. */

/**
 * An agent that no coordinator has acknowledged for so long abandons what it runs, counted from when it sent the last
 * message that was acknowledged.
 */
export const FENCE_AFTER_MS = 12_000;

export interface Liveness {
  /**
   * Whether there is a link, be it silent. Unresponsive: there is none, and the heartbeats of its agent's thread arrive:
   * nothing can be sent to it, and it is not lost.
   */
  readonly kind: "linked" | "unresponsive" | "unlinked";
  /** When the last message of its agent came. */
  readonly lastSeenMs: number;
}

/** Says when it may have changed, but for time that passes. */
export interface FollowedLinks {
  /** Null for a node that never had a link. */
  of(nodeId: string): Liveness | null;
  /** Called when a link, or the heartbeats of a thread, open or end. Returns the way to stop. */
  subscribe(listener: (nodeId: string) => void): () => void;
}

const BEST_FIRST: readonly Liveness["kind"][] = ["linked", "unresponsive", "unlinked"];

/** What two coordinators see of one node: it is linked where it is to either, and was seen when the later of them saw it. */
export function combined(one: Liveness | null, other: Liveness | null): Liveness | null {
  if (one === null || other === null) return one ?? other;
  const kind = BEST_FIRST.find((best) => one.kind === best || other.kind === best) ?? "unlinked";
  return { kind, lastSeenMs: Math.max(one.lastSeenMs, other.lastSeenMs) };
}
