/** The port by which the scheduler sees the links to agents. Times are on this process's monotonic clock. */

export type Liveness =
  | { readonly kind: "linked"; readonly lastSeenMs: number }
  | { readonly kind: "unlinked"; readonly sinceMs: number };

export interface LinkLiveness {
  /** Null for a node that never had a link to this process. */
  of(nodeId: string): Liveness | null;
  /** Called when a link opens or ends. Returns the way to stop. */
  subscribe(listener: (nodeId: string) => void): () => void;
}
