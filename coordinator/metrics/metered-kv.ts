/** Counts the transactions that pass to a store. */
import type { Clock } from "@elastic/std/clock.ts";
import { type Kv, OutcomeUnknownError, StoreUnavailableError, type Txn, type TxnOutcome } from "../store/kv.ts";
import type { StoreMetrics, TransactionOutcome } from "./store-metrics.ts";

export function meteredKv(kv: Kv, metrics: Pick<StoreMetrics, "transacted">, clock: Pick<Clock, "monotonicMs">): Kv {
  return {
    read: (keys, at) => kv.read(keys, at),
    range: (prefix, page) => kv.range(prefix, page),
    txn: async (txn) => {
      const startedMs = clock.monotonicMs();
      let outcome: TransactionOutcome = "refused";
      try {
        const answer: TxnOutcome = await kv.txn(txn);
        if (answer.applied) outcome = "applied";
        return answer;
      } catch (error) {
        if (error instanceof StoreUnavailableError) outcome = "unavailable";
        else if (error instanceof OutcomeUnknownError) outcome = "unknown";
        throw error;
      } finally {
        metrics.transacted(changesOf(txn), outcome, clock.monotonicMs() - startedMs);
      }
    },
    watch: (prefix, fromRevision, listener, signal) => kv.watch(prefix, fromRevision, listener, signal),
    lease: (ttlMs) => kv.lease(ttlMs),
    close: () => kv.close(),
  };
}

function changesOf({ puts, deletes }: Txn): number {
  return puts.length + deletes.length;
}
