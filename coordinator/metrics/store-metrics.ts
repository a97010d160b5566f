/** What the store counts. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { StoreSize } from "../store/nearly-full.ts";

export type TransactionOutcome = "applied" | "refused" | "unavailable" | "unknown";

interface ObservedStore {
  readonly viewAgeMs: () => number;
  readonly isFull: () => boolean;
  /** Null until it is measured. */
  readonly size: () => StoreSize | null;
  readonly isNearlyFull: () => boolean;
  readonly isChanged: () => boolean;
  /** Records that a later version wrote. */
  readonly unreadable: () => number;
}

export interface StoreMetrics {
  /** One transaction with `changes` keys written or removed. */
  transacted(changes: number, outcome: TransactionOutcome, elapsedMs: number): void;
  /** Where these are read at each scrape. */
  observe(store: ObservedStore): void;
}

export function createStoreMetrics(registry: Registry): StoreMetrics {
  const registers = [registry];
  const transactions = new Counter({
    name: "elastic_store_transactions_total",
    help: "Transactions sent to the store, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const batch = new Histogram({
    name: "elastic_store_transaction_changes",
    help: "Keys written or removed by one transaction.",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers,
  });
  const seconds = new Histogram({
    name: "elastic_store_transaction_seconds",
    help: "Time until the store responded to a transaction.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2],
    registers,
  });
  return {
    transacted: (changes, outcome, elapsedMs) => {
      transactions.inc({ outcome });
      batch.observe(changes);
      seconds.observe(elapsedMs / 1000);
    },
    observe: ({ viewAgeMs, isFull, size, isNearlyFull, isChanged, unreadable }) => {
      new Gauge({
        name: "elastic_store_view_age_seconds",
        help: "Time since the view in memory was last known to be complete.",
        registers,
        collect() {
          this.set(viewAgeMs() / 1000);
        },
      });
      new Gauge({
        name: "elastic_store_full",
        help: "1 while the store refuses writes because it has no room.",
        registers,
        collect() {
          this.set(isFull() ? 1 : 0);
        },
      });
      observeSize(registry, size, isNearlyFull);
      new Gauge({
        name: "elastic_store_changed",
        help: "1 once etcd no longer holds the state that this coordinator knew: it was emptied, put back or replaced, or a later version demands another program.",
        registers,
        collect() {
          this.set(isChanged() ? 1 : 0);
        },
      });
      new Gauge({
        name: "elastic_store_unreadable_records",
        help: "Records that cannot be read, since a later version wrote them or they are malformed: they are neither listed nor changed here.",
        registers,
        collect() {
          this.set(unreadable());
        },
      });
    },
  };
}

/** Sizes are absent until they are measured. */
function observeSize(registry: Registry, size: () => StoreSize | null, isNearlyFull: () => boolean): void {
  const registers = [registry];
  new Gauge({
    name: "elastic_store_nearly_full",
    help: "1 while creations are rejected because so much of the store's quota is in use.",
    registers,
    collect() {
      this.set(isNearlyFull() ? 1 : 0);
    },
  });
  const gauges = [
    ["elastic_store_in_use_bytes", "Bytes of etcd's database that are in use.", (of: StoreSize) => of.inUseBytes],
    ["elastic_store_quota_bytes", "Quota of etcd's database; 0 where it has none.", (of: StoreSize) => of.quotaBytes],
  ] as const;
  for (const [name, help, bytesOf] of gauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const measured = size();
        if (measured === null) this.remove();
        else this.set(bytesOf(measured));
      },
    });
  }
}
