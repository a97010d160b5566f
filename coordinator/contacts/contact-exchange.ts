/**
 * How coordinators share which nodes they reach: each publishes its list under a lease when it changes, and follows
 * the others'. At rest nothing is written.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { FollowedLinks, Liveness } from "../domain/link-liveness.ts";
import { CONTACTS_PREFIX, contactsKey } from "../store/keys.ts";
import { type Entry, type Kv, type KvEvent, StoreFullError } from "../store/kv.ts";
import { LivingLease } from "../store/living-lease.ts";
import { type ContactList, contactListOf, decodeContactList, saysTheSame } from "./contact-list.ts";
import type { Reach } from "./relay-rule.ts";

/** How long the list of a coordinator that died still counts. */
const LEASE_MS = 5_000;
const COORDINATORS_MAX = 100;

export interface ContactExchangeOptions {
  readonly kv: Kv;
  readonly id: string;
  /** The nodes that ever had a link here, and when each was last seen. */
  readonly lastSeen: () => Iterable<readonly [nodeId: string, lastSeenMs: number]>;
  /** Whether only heartbeats of its agent's thread arrive. */
  readonly isUnresponsive: (nodeId: string) => boolean;
  /** Null while this coordinator does not lead. */
  readonly leaderEpoch: () => number | null;
  /** Whether it could lead. */
  readonly isCandidate: () => boolean;
  /** Whether it can send commands in the leader's name. */
  readonly canCommand: boolean;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Its liveness is of what the others see. */
export class ContactExchange implements FollowedLinks {
  readonly #options: ContactExchangeOptions;
  /** By coordinator. */
  readonly #others = new Map<string, Reach>();
  readonly #listeners = new Set<(nodeId: string) => void>();
  /** Of nodes that some other coordinator has seen, and may reach no longer. */
  readonly #lastSeenMs = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #lease: LivingLease;
  #own: Reach = REACHES_NONE;
  #published: ContactList | null = null;
  #watching: AbortController | null = null;

  constructor(options: ContactExchangeOptions) {
    this.#options = options;
    this.#lease = new LivingLease(options.kv, LEASE_MS);
  }

  of(nodeId: string): Liveness | null {
    const nowMs = this.#options.clock.monotonicMs();
    const others = [...this.#others.values()];
    if (others.some(({ nodes }) => nodes.has(nodeId))) return { kind: "linked", lastSeenMs: nowMs };
    if (others.some(({ unresponsive }) => unresponsive.has(nodeId))) return { kind: "unresponsive", lastSeenMs: nowMs };
    const lastSeenMs = this.#lastSeenMs.get(nodeId);
    return lastSeenMs === undefined ? null : { kind: "unlinked", lastSeenMs };
  }

  /** Called when another coordinator comes to reach a node, or reaches it no longer. Returns the way to stop. */
  subscribe(listener: (nodeId: string) => void): () => void {
    const entry = (nodeId: string) => listener(nodeId);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** As of the last turn. */
  own(): Reach {
    return this.#own;
  }

  others(): ReadonlyMap<string, Reach> {
    return this.#others;
  }

  /** Follows the others, and publishes what has changed. Rejects where the store is away. */
  async turn(): Promise<void> {
    if (this.#watching === null) await this.#follow();
    const { lastSeen, isUnresponsive, leaderEpoch, isCandidate, canCommand, clock } = this.#options;
    const seen = contactListOf(lastSeen(), clock.monotonicMs(), isUnresponsive);
    const list = { ...seen, leaderEpoch: leaderEpoch(), isCandidate: isCandidate(), canCommand };
    this.#own = reachOf(list);
    const published = this.#lease.isAlive() ? this.#published : null;
    if (published === null || !saysTheSame(published, list)) await this.#publish(list);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#watching?.abort();
    await this.#lease.revoke();
  }

  async #follow(): Promise<void> {
    const { kv } = this.#options;
    const { entries, revision } = await kv.range(CONTACTS_PREFIX, { limit: COORDINATORS_MAX });
    if (this.#stopping.signal.aborted) return;
    const listed = new Set(entries.map(({ key }) => key));
    for (const id of [...this.#others.keys()]) if (!listed.has(contactsKey(id))) this.#forget(id);
    for (const entry of entries) this.#receive(entry);
    const watching = new AbortController();
    this.#watching = watching;
    const listener = {
      onEvents: (events: readonly KvEvent[]) => this.#onEvents(events),
      onProgress: () => undefined,
      onBroken: () => {
        watching.abort();
        this.#watching = null;
      },
    };
    kv.watch(CONTACTS_PREFIX, revision + 1, listener, watching.signal);
  }

  #onEvents(events: readonly KvEvent[]): void {
    for (const event of events) {
      if (event.kind === "put") this.#receive(event.entry);
      else this.#forget(event.key.slice(CONTACTS_PREFIX.length));
    }
  }

  #receive({ key, value }: Entry): void {
    const id = key.slice(CONTACTS_PREFIX.length);
    const list = decodeContactList(value);
    if (list === null || id === this.#options.id) return;
    const before = this.#others.get(id) ?? REACHES_NONE;
    const reach = reachOf(list);
    this.#others.set(id, reach);
    const nowMs = this.#options.clock.monotonicMs();
    const seen = new Set(list.nodes);
    for (const nodeId of seenBy(before)) {
      if (!seen.has(nodeId)) this.#unseen(nodeId, nowMs - (list.unseen[nodeId] ?? 0));
    }
    for (const nodeId of reach.nodes) if (!before.nodes.has(nodeId)) this.#notify(nodeId);
    for (const nodeId of reach.unresponsive) if (!before.unresponsive.has(nodeId)) this.#notify(nodeId);
  }

  /** It may have acknowledged its nodes until now. */
  #forget(id: string): void {
    const reach = this.#others.get(id) ?? REACHES_NONE;
    this.#others.delete(id);
    for (const nodeId of seenBy(reach)) this.#unseen(nodeId, this.#options.clock.monotonicMs());
  }

  #unseen(nodeId: string, lastSeenMs: number): void {
    this.#lastSeenMs.set(nodeId, Math.max(lastSeenMs, this.#lastSeenMs.get(nodeId) ?? lastSeenMs));
    this.#notify(nodeId);
  }

  #notify(nodeId: string): void {
    for (const listener of this.#listeners) listener(nodeId);
  }

  async #publish(list: ContactList): Promise<void> {
    const { kv, id } = this.#options;
    if (this.#stopping.signal.aborted) return;
    try {
      const leaseId = await this.#lease.id();
      const puts = [{ key: contactsKey(id), value: Buffer.from(JSON.stringify(list)), leaseId }];
      await kv.txn({ compares: [], puts, deletes: [] });
      this.#published = list;
    } catch (error) {
      // Whoever writes records notes it, once; nothing can be requeued then either.
      if (!(error instanceof StoreFullError)) throw error;
    }
  }
}

const REACHES_NONE: Reach = {
  nodes: new Set(),
  unresponsive: new Set(),
  leaderEpoch: null,
  isCandidate: false,
  canCommand: false,
};

function reachOf({
  nodes,
  unresponsive = [],
  leaderEpoch = null,
  isCandidate = false,
  canCommand = false,
}: ContactList): Reach {
  const silent = new Set(unresponsive);
  const reached = nodes.filter((nodeId) => !silent.has(nodeId));
  return { nodes: new Set(reached), unresponsive: silent, leaderEpoch, isCandidate, canCommand };
}

function seenBy({ nodes, unresponsive }: Reach): readonly string[] {
  return [...nodes, ...unresponsive];
}
