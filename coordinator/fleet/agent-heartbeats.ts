/**
 * The heartbeats of one agent's thread, which belong to one link of its node and may outlive it: an agent whose event loop
 * is blocked loses its link within ten seconds, and is alive.
 */
import type { Refusal } from "./refusal.ts";

export interface AgentHeartbeats {
  readonly nodeId: string;
  readonly linkId: string;
  /** When the last one came, on this process's monotonic clock. */
  readonly lastSeenMs: number;
  /** For how long the agent's event loop had not responded then. */
  readonly loopSilentMs: number;
  end(refusal: Refusal): void;
}
