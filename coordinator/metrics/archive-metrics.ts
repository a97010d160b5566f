/** What moves to the archive, and what is removed when its time is over. */
import { Counter, Gauge, type Registry } from "prom-client";

export interface ArchiveMetrics {
  archived(tasks: number): void;
  /** Tasks whose bytes were removed. */
  expired(tasks: number): void;
  /** Records that were removed. */
  forgotten(tasks: number): void;
  blobsSwept(blobs: number, bytes: number): void;
  /** Where the ended tasks of the store are counted at each scrape, and the age of the first to end. */
  observeLive(live: () => { readonly ended: number; readonly lagMs: number }): void;
}

export function createArchiveMetrics(registry: Registry): ArchiveMetrics {
  const registers = [registry];
  const archived = new Counter({
    name: "elastic_tasks_archived_total",
    help: "Ended tasks moved from the store to the archive.",
    registers,
  });
  const expired = new Counter({
    name: "elastic_tasks_expired_total",
    help: "Archived tasks whose input, result and logs were removed.",
    registers,
  });
  const forgotten = new Counter({
    name: "elastic_tasks_forgotten_total",
    help: "Archived tasks whose record was removed.",
    registers,
  });
  const swept = new Counter({ name: "elastic_blobs_swept_total", help: "Blobs that nothing named.", registers });
  const sweptBytes = new Counter({
    name: "elastic_blobs_swept_bytes_total",
    help: "Bytes of blobs that nothing named.",
    registers,
  });
  return {
    archived: (tasks) => archived.inc(tasks),
    expired: (tasks) => expired.inc(tasks),
    forgotten: (tasks) => forgotten.inc(tasks),
    blobsSwept: (blobs, bytes) => {
      swept.inc(blobs);
      sweptBytes.inc(bytes);
    },
    observeLive: (live) => {
      new Gauge({
        name: "elastic_live_ended_tasks",
        help: "Ended tasks that are still in the store.",
        registers,
        collect() {
          this.set(live().ended);
        },
      });
      new Gauge({
        name: "elastic_archive_lag_seconds",
        help: "Time since the end of the ended task that is longest in the store.",
        registers,
        collect() {
          this.set(live().lagMs / 1000);
        },
      });
    },
  };
}
