/**
 * What is known here of nodes that no record says: when each was last seen, why not since, how long its certificate is
 * good, and how its GPUs were.
 */
import type { Instant } from "@elastic/std/clock.ts";

/** What the driver does not say is null. */
export interface GpuReading {
  readonly temperatureCelsius: number | null;
  readonly usedBytes: number | null;
  /** From 0 to 1. */
  readonly utilisation: number | null;
}

export interface NodeSighting {
  readonly lastSeenAt: Instant;
  /** Of the certificate that it showed then. */
  readonly certificateEndsAt: Instant;
  /** In words; null while its heartbeats arrive. */
  readonly silenceReason: string | null;
  /** By the GPU's uuid, as of then. */
  readonly gpuReadings: ReadonlyMap<string, GpuReading>;
}

/** Handed in by whoever has the links to agents. */
export interface NodeSightings {
  /** Null for a node that this process has not seen. */
  sighting(nodeId: string): NodeSighting | null;
}

/** Of a process without links. */
export const NO_SIGHTINGS: NodeSightings = { sighting: () => null };
