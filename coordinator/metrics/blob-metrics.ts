/** What is counted of large inputs, results and files. */
import { Counter, type Registry } from "prom-client";

export interface BlobMetrics {
  /** A read found other bytes than were put, or none. */
  corrupt(): void;
}

export function createBlobMetrics(registry: Registry): BlobMetrics {
  const corrupt = new Counter({
    name: "elastic_blobs_corrupt_total",
    help: "Reads of blobs that found other bytes than were put, or none. None of these were served as complete.",
    registers: [registry],
  });
  return { corrupt: () => corrupt.inc() };
}
