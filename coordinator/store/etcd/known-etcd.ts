/** Compares the header of every answer of etcd with the store that is known, and checks where that does not decide. */
import { KVService, type TxnResponse } from "@elastic/proto/gen/etcd/kv.ts";
import { Confirmation } from "../identity/confirmation.ts";
import type { StoreHeader } from "../identity/judge-response.ts";
import { metaOf, schemaOfStore } from "../identity/meta.ts";
import type { StoreIdentity } from "../identity/store-identity.ts";
import { META_KEY } from "../keys.ts";
import { type Entry, type StoreChangedError, StoreFullError } from "../kv.ts";
import { whyOutgrown } from "../store-schema.ts";
import type { EtcdClients } from "./etcd-clients.ts";
import { txnError } from "./etcd-errors.ts";
import { fromTxnResponse, headerOf, rangeOf, toEntry, toTxnRequest } from "./etcd-messages.ts";
import type { HeaderSink } from "./header-sink.ts";

/** Reads through consensus, as a transaction that might write does, and never writes: no key has this revision. */
const DECISIVE_READ = toTxnRequest({
  compares: [{ key: META_KEY, revision: Number.MAX_SAFE_INTEGER }],
  puts: [{ key: META_KEY, value: Buffer.alloc(0) }],
  deletes: [],
});

export class KnownEtcd implements HeaderSink {
  readonly #clients: Pick<EtcdClients, "transactions" | "reads">;
  readonly #identity: StoreIdentity;
  readonly #confirmation: Confirmation;

  constructor(clients: Pick<EtcdClients, "transactions" | "reads">, identity: StoreIdentity) {
    this.#clients = clients;
    this.#identity = identity;
    this.#confirmation = new Confirmation(() => this.#check());
    identity.onChanged(() => this.#confirmation.stop());
  }

  revision(): number {
    return this.#identity.revision();
  }

  /** For a request about to be sent: the revision to hand back with its answer. Throws where the store has changed. */
  sending(): number {
    this.#throwIfChanged();
    return this.#identity.revision();
  }

  /** Before an answer is believed. Rejects where it is of another store, or where that could not be found out. */
  async admit(header: StoreHeader, since: number): Promise<void> {
    if (!this.#identity.admits(header, since)) {
      this.#confirmation.suspect();
      await this.#confirmation.confirm();
    }
    this.#throwIfChanged();
  }

  received(header: StoreHeader, since: number): void {
    if (!this.#identity.admits(header, since)) this.#confirmation.suspect();
  }

  /** Checks soon: a stream broke, and what happened to etcd meanwhile is unknown. */
  suspect(): void {
    this.#confirmation.suspect();
  }

  /** Null while it is the store that is known. */
  changed(): StoreChangedError | null {
    return this.#identity.changed();
  }

  stop(): void {
    this.#confirmation.stop();
  }

  #throwIfChanged(): void {
    const changed = this.#identity.changed();
    if (changed !== null) throw changed;
  }

  async #check(): Promise<void> {
    const since = this.#identity.revision();
    const { header, entry } = await this.#readDecisively();
    const meta = metaOf(entry);
    this.#identity.confirm({ ...header, installation: meta }, since);
    const why = meta === null ? null : whyOutgrown(schemaOfStore(meta));
    if (why !== null) this.#identity.outgrown(why);
    this.#throwIfChanged();
  }

  async #readDecisively(): Promise<{ readonly header: StoreHeader; readonly entry: Entry | null }> {
    try {
      const response: TxnResponse = await this.#clients.transactions.call(KVService.txn, DECISIVE_READ);
      const outcome = fromTxnResponse(response);
      return { header: headerOf(response), entry: outcome.applied ? null : (outcome.current[0] ?? null) };
    } catch (cause) {
      const error = txnError(cause);
      if (!(error instanceof StoreFullError)) throw error;
      return await this.#readLinearizably();
    }
  }

  /** Of a full store, which takes no transaction that might write. */
  async #readLinearizably(): Promise<{ readonly header: StoreHeader; readonly entry: Entry | null }> {
    const response = await this.#clients.reads.call(KVService.range, rangeOf(Buffer.from(META_KEY)));
    const [kv] = response.kvs;
    return { header: headerOf(response), entry: kv === undefined ? null : toEntry(kv) };
  }
}
