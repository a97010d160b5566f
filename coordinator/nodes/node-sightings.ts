/**
 * What is known here of nodes that no record says: when each was last heard, why not since, and how long its
 * certificate is good.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface NodeSighting {
  readonly heardAt: Instant;
  /** Of the certificate that it showed then. */
  readonly certificateEndsAt: Instant;
  /** In words; null while it is heard. */
  readonly whyUnheard: string | null;
}

/** Handed in by whoever has the links to agents. */
export interface NodeSightings {
  /** Null for a node that this process has not heard. */
  sighting(nodeId: string): NodeSighting | null;
}

/** Of a process without links. */
export const NO_SIGHTINGS: NodeSightings = { sighting: () => null };
