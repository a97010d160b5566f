/** The port over a real etcd: transactions through unary-channel.ts, everything else through npm etcd3. */
import { KVService } from "@elastic/proto/gen/etcd/kv.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Entry, Kv, Lease, Txn, TxnOutcome, WatchListener } from "../kv.ts";
import { connectClients, type EtcdClients } from "./etcd-clients.ts";
import { readError, txnError } from "./etcd-errors.ts";
import { type EtcdLease, grantLease } from "./etcd-lease.ts";
import { endOf, fromTxnResponse, toEntry, toTxnRequest } from "./etcd-messages.ts";
import { EtcdWatch } from "./etcd-watch.ts";

export interface EtcdOptions {
  /** `http://<host>:<port>`, one for each member. */
  readonly endpoints: readonly string[];
  readonly log: Logger;
}

export function connectEtcd(options: EtcdOptions): Kv {
  return new EtcdKv(options);
}

class EtcdKv implements Kv {
  readonly #clients: EtcdClients;
  readonly #log: Logger;
  readonly #watches = new Set<EtcdWatch>();
  readonly #leases = new Set<EtcdLease>();

  constructor({ endpoints, log }: EtcdOptions) {
    this.#clients = connectClients(endpoints);
    this.#log = log;
  }

  async read(keys: readonly string[], at?: number) {
    const revision = at === undefined ? {} : { revision: String(at) };
    const success = keys.map((key) => ({ request_range: { key: Buffer.from(key), ...revision } }));
    try {
      const response = await this.#clients.reads.kv.txn({ success });
      const entries = response.responses.map(({ response_range }): Entry | null => {
        const kv = response_range.kvs[0];
        return kv === undefined ? null : toEntry(kv);
      });
      return { revision: Number(response.header.revision), entries };
    } catch (error) {
      throw readError(error);
    }
  }

  async range(prefix: string, page: { readonly afterKey?: string; readonly limit: number; readonly at?: number }) {
    try {
      const response = await this.#clients.reads.kv.range({
        // The first key after `afterKey` is the same with a zero byte behind.
        key: Buffer.from(page.afterKey === undefined ? prefix : `${page.afterKey}\0`),
        range_end: endOf(prefix),
        limit: String(page.limit),
        ...(page.at === undefined ? {} : { revision: String(page.at) }),
      });
      return { revision: Number(response.header.revision), entries: response.kvs.map(toEntry), more: response.more };
    } catch (error) {
      throw readError(error);
    }
  }

  async txn(txn: Txn): Promise<TxnOutcome> {
    try {
      return fromTxnResponse(await this.#clients.transactions.call(KVService.txn, toTxnRequest(txn)));
    } catch (error) {
      throw txnError(error);
    }
  }

  watch(prefix: string, fromRevision: number, listener: WatchListener, signal: AbortSignal): void {
    if (signal.aborted) return;
    const stop = () => {
      signal.removeEventListener("abort", stop);
      this.#watches.delete(watch);
      watch.stop();
    };
    const onBroken = (error: Error) => {
      stop();
      listener.onBroken(error);
    };
    const watch = new EtcdWatch(fromRevision, {
      onEvents: (events) => listener.onEvents(events),
      onProgress: (revision, agoMs) => listener.onProgress(revision, agoMs),
      onBroken,
    });
    signal.addEventListener("abort", stop);
    this.#watches.add(watch);
    void watch.start(this.#clients.streams, prefix);
  }

  async lease(ttlMs: number): Promise<Lease> {
    const lease = await grantLease(this.#clients.streams, ttlMs, this.#log);
    for (const old of this.#leases) if (old.hasStopped) this.#leases.delete(old);
    this.#leases.add(lease);
    return lease;
  }

  async close(): Promise<void> {
    for (const watch of this.#watches) watch.stop();
    for (const lease of this.#leases) lease.stop();
    this.#clients.close();
  }
}
