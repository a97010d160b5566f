/**
 * Which store this coordinator knows: the cluster, the highest revision of any response, and what identifies the
 * installation. Every response of etcd is compared with it. A store that turns out to be another one stays so until the
 * coordinator is restarted: nothing of it is served or written in between.
 */
import { StoreChangedError } from "../kv.ts";
import {
  compareHeader,
  compareStore,
  epochAfter,
  type FoundStore,
  type Installation,
  type KnownStore,
  type StoreChange,
} from "./compare-store.ts";
import { describeChange } from "./describe-change.ts";
import { judgeResponse, learn, type StoreHeader } from "./judge-response.ts";

export class StoreIdentity {
  #header: StoreHeader | null = null;
  #installation: Installation | null = null;
  #changed: StoreChangedError | null = null;
  readonly #listeners = new Set<(changed: StoreChangedError) => void>();

  /** The highest revision known, for whoever sends a request: handed back with its response. */
  revision(): number {
    return this.#header?.revision ?? 0;
  }

  /** Null until the first response. */
  header(): StoreHeader | null {
    return this.#header;
  }

  /** Null until both were read. */
  known(): KnownStore | null {
    return this.#header === null || this.#installation === null ? null : { ...this.#header, ...this.#installation };
  }

  /** Null while the store is the one that is known. */
  changed(): StoreChangedError | null {
    return this.#changed;
  }

  /** Called once, when the store turns out to be another. */
  onChanged(listener: (changed: StoreChangedError) => void): void {
    this.#listeners.add(listener);
  }

  /** What the store was found to belong to, from when on checks compare it. */
  belongsTo({ epoch, blobStoreId }: Installation): void {
    this.#installation = { epoch, blobStoreId };
  }

  /** The header of a response to what was sent when `since` was the revision. False where it has to be checked. */
  admits(header: StoreHeader, since: number): boolean {
    if (this.#changed !== null) return true;
    const verdict = judgeResponse(this.#header, { ...header, since, isDecisive: false });
    if (verdict === "ok") this.#header = learn(this.#header, header);
    else if (verdict !== "check") this.#compare({ ...header, installation: null }, since);
    return verdict !== "check";
  }

  /** What a check found that went through consensus, and began when `since` was the revision. */
  confirm(found: FoundStore, since: number): void {
    this.#compare(found, since);
    if (this.#changed !== null) throw this.#changed;
    this.#header = learn(this.#header, found);
  }

  /** A later program has made the store what this one does not understand. */
  outgrown(why: string): void {
    this.#reject(new StoreChangedError(why));
  }

  #compare(found: FoundStore, since: number): void {
    const known = this.known();
    const header = { ...found, since };
    const change =
      known === null || found.clusterId !== known.clusterId
        ? compareHeader(this.#header, header)
        : compareStore({ ...known, revision: since }, found);
    if (change !== null && this.#changed === null) this.#change(change, found.installation);
  }

  #change(change: StoreChange, found: Installation | null): void {
    this.#reject(new StoreChangedError(describeChange(change, epochAfter(this.#installation, found))));
  }

  #reject(changed: StoreChangedError): void {
    if (this.#changed !== null) return;
    this.#changed = changed;
    for (const listener of this.#listeners) listener(changed);
  }
}
