/** The port over a real etcd. */
import { KVService, type TxnResponse } from "@elastic/proto/gen/etcd/kv.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { EtcdAccess } from "../etcd-access.ts";
import { StoreIdentity } from "../identity/store-identity.ts";
import { META_KEY } from "../keys.ts";
import {
  type Kv,
  type Lease,
  OutcomeUnknownError,
  StoreChangedError,
  type Txn,
  type TxnOutcome,
  type WatchListener,
} from "../kv.ts";
import { decodeTxnResponse } from "./decode-txn-response.ts";
import { encodeTxn } from "./encode-txn.ts";
import { connectClients, type EtcdClients } from "./etcd-clients.ts";
import { EtcdCredentials } from "./etcd-credentials.ts";
import { readError, txnError } from "./etcd-errors.ts";
import { type EtcdLease, grantLease } from "./etcd-lease.ts";
import { endOf, entriesOf, fromTxnResponse, headerOf, toEntry, toReadRequest } from "./etcd-messages.ts";
import { EtcdWatch } from "./etcd-watch.ts";
import { KnownEtcd } from "./known-etcd.ts";
import type { UnaryMethod } from "./unary-channel.ts";

export interface EtcdOptions {
  /** `http://<host>:<port>` or `https://<host>:<port>`, one for each member. */
  readonly endpoints: readonly string[];
  /** Left out where etcd requires neither certificates nor a user. */
  readonly access?: EtcdAccess;
  /** What every answer is compared with; where it is left out, only with those before. */
  readonly identity?: StoreIdentity;
  readonly log: Logger;
}

/** Of an etcd that requires neither certificates nor a user. */
export const OPEN_ACCESS: EtcdAccess = { files: { ca: null, cert: null, key: null, passwordFile: null }, user: null };

/** Throws EtcdFileError where a file of `access` cannot be used. */
export function connectEtcd(options: EtcdOptions): Kv {
  return new EtcdKv(options);
}

const TRANSACT: UnaryMethod<Txn, TxnResponse> = {
  path: KVService.txn.path,
  requestSerialize: encodeTxn,
  responseDeserialize: decodeTxnResponse,
};

class EtcdKv implements Kv {
  readonly #clients: EtcdClients;
  readonly #known: KnownEtcd;
  readonly #log: Logger;
  readonly #watches = new Set<EtcdWatch>();
  readonly #leases = new Set<EtcdLease>();

  constructor({ endpoints, access = OPEN_ACCESS, identity = new StoreIdentity(), log }: EtcdOptions) {
    this.#clients = connectClients(endpoints, new EtcdCredentials({ ...access, log }));
    this.#known = new KnownEtcd(this.#clients, identity);
    this.#log = log;
    identity.onChanged((changed) => this.#drop(changed));
  }

  async read(keys: readonly string[], at?: number) {
    const since = this.#known.sending();
    try {
      const response = await this.#clients.reads.call(KVService.txn, toReadRequest(keys, at));
      const header = headerOf(response);
      await this.#known.admit(header, since);
      return { revision: header.revision, entries: entriesOf(response) };
    } catch (error) {
      throw readError(error);
    }
  }

  async range(prefix: string, page: { readonly afterKey?: string; readonly limit: number; readonly at?: number }) {
    const since = this.#known.sending();
    try {
      const response = await this.#clients.reads.call(KVService.range, {
        // The first key after `afterKey` is the same with a zero byte behind.
        key: Buffer.from(page.afterKey === undefined ? prefix : `${page.afterKey}\0`),
        rangeEnd: endOf(prefix),
        limit: BigInt(page.limit),
        revision: BigInt(page.at ?? 0),
      });
      const header = headerOf(response);
      await this.#known.admit(header, since);
      return { revision: header.revision, entries: response.kvs.map(toEntry), more: response.more };
    } catch (error) {
      throw readError(error);
    }
  }

  async txn(txn: Txn): Promise<TxnOutcome> {
    const since = this.#known.sending();
    const response = await this.#clients.transactions.call(TRANSACT, txn).catch((error: unknown) => {
      throw txnError(error);
    });
    await this.#known.admit(headerOf(response), since).catch((cause: Error) => {
      if (cause instanceof StoreChangedError) throw cause;
      throw new OutcomeUnknownError(`which store answered could not be found out: ${cause.message}`, { cause });
    });
    return fromTxnResponse(response);
  }

  watch(prefix: string, fromRevision: number, listener: WatchListener, signal: AbortSignal): void {
    if (signal.aborted) return;
    const changed = this.#known.changed();
    if (changed !== null) {
      setImmediate(() => listener.onBroken(changed));
      return;
    }
    const stop = () => {
      signal.removeEventListener("abort", stop);
      this.#watches.delete(watch);
      watch.stop();
    };
    const onBroken = (error: Error) => {
      stop();
      // Also where etcd says so as the reason for which it cancels the watch.
      this.#clients.login.isRefused(error.message);
      this.#known.suspect();
      listener.onBroken(error);
    };
    const forwarding: WatchListener = {
      onEvents: (events) => listener.onEvents(events),
      onProgress: (revision, agoMs) => listener.onProgress(revision, agoMs),
      ...(listener.onCurrent === undefined ? {} : { onCurrent: (agoMs) => listener.onCurrent?.(agoMs) }),
      onBroken,
    };
    const readRevision = listener.onCurrent === undefined ? null : async () => (await this.read([META_KEY])).revision;
    const watch = new EtcdWatch(fromRevision, forwarding, { headers: this.#known, readRevision });
    signal.addEventListener("abort", stop);
    this.#watches.add(watch);
    watch.start(this.#clients.streams, prefix);
  }

  async lease(ttlMs: number): Promise<Lease> {
    this.#known.sending();
    const { streams, reads: calls } = this.#clients;
    const lease = await grantLease({ calls, streams, headers: this.#known, log: this.#log }, ttlMs);
    if (this.#known.changed() !== null) lease.lose();
    for (const old of this.#leases) if (old.hasStopped) this.#leases.delete(old);
    this.#leases.add(lease);
    return lease;
  }

  /** Watches break and leases are over; every later call is rejected. */
  #drop(changed: StoreChangedError): void {
    for (const watch of [...this.#watches]) watch.break(changed);
    for (const lease of this.#leases) lease.lose();
  }

  async close(): Promise<void> {
    this.#known.stop();
    for (const watch of this.#watches) watch.stop();
    for (const lease of this.#leases) lease.stop();
    this.#clients.close();
  }
}
