/**
 * How coordinators see each other's clocks: each publishes its time under a lease, watches the others, and sends back when
 * it received theirs. One that is new is responded to at once, so that it knows the others' clocks before it serves.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { CLOCKS_PREFIX, clockKey } from "../store/keys.ts";
import { type Entry, type Kv, type KvEvent, StoreFullError } from "../store/kv.ts";
import { LivingLease } from "../store/living-lease.ts";
import type { ClockKeeper } from "./clock-keeper.ts";
import { type ClockPublication, decodePublication } from "./clock-publication.ts";
import { readEcho } from "./clock-reading.ts";
import type { GuardedClock } from "./guarded-clock.ts";

const LEASE_MS = 10_000;
const PUBLISH_EVERY_MS = 10_000;
/** Between two publications, however many coordinators are new. */
const PUBLISH_GAP_MS = 200;
const COORDINATORS_MAX = 100;
/** How old a publication may be whose coordinator has not ended: a lease and an interval, and some seconds. */
const PUBLICATION_AGE_MS_MAX = 30_000;

export interface ClockExchangeOptions {
  readonly kv: Kv;
  readonly id: string;
  readonly isCandidate: boolean;
  readonly keeper: ClockKeeper;
  /** Of the process, over `machine`. */
  readonly clock: GuardedClock;
  readonly machine: Clock;
}

interface Peer {
  readonly publication: ClockPublication;
  readonly receivedMs: number;
  /** Whether it came as it was written. What is listed may have been there for seconds. */
  readonly isLive: boolean;
  /** Whether it was sent when one of its publications came. */
  isAnswered: boolean;
}

export class ClockExchange {
  readonly #options: ClockExchangeOptions;
  readonly #peers = new Map<string, Peer>();
  readonly #stopping = new AbortController();
  readonly #lease: LivingLease;
  #watching: AbortController | null = null;
  #publishedMs = Number.NEGATIVE_INFINITY;
  #publishing: Promise<void> = Promise.resolve();
  #publishedStanding = "";

  constructor(options: ClockExchangeOptions) {
    this.#options = options;
    this.#lease = new LivingLease(options.kv, LEASE_MS);
  }

  /** Joins, or joins again; publishes where it is time to. */
  async turn(): Promise<void> {
    if (this.#watching === null) await this.#follow();
    const { machine, keeper } = this.#options;
    const isDue = machine.monotonicMs() - this.#publishedMs >= PUBLISH_EVERY_MS;
    const hasEnded = !this.#lease.isAlive();
    if (isDue || hasEnded || this.#hasUnanswered() || keeper.verdict.standing !== this.#publishedStanding)
      await this.#publish();
  }

  /** Whether a coordinator that could lead says that its own clock is right. */
  canAnotherLead(): boolean {
    return [...this.#peers.values()].some(
      ({ publication: { isCandidate, standing } }) => isCandidate && standing === "agrees",
    );
  }

  /** Of those whose clock is surely another than this one's, which are yet to be compared. */
  unreadContradictions(): number {
    const wallMs = this.#options.machine.now();
    const contradicts = ({ publication }: Peer) => {
      const ageMs = wallMs - publication.wallMs;
      return ageMs < -PUBLICATION_AGE_MS_MAX || ageMs > PUBLICATION_AGE_MS_MAX;
    };
    const { readings } = this.#options.keeper;
    return [...this.#peers].filter(([id, peer]) => contradicts(peer) && !readings.has(readingOf(id))).length;
  }

  /**
   * By how much the time is ahead that another coordinator goes by and stamps records with: one that knows a majority of
   * clocks, which may not be known here yet, or else any. Null where none was compared.
   */
  aheadOfTheirs(): number | null {
    const { clock, keeper } = this.#options;
    const machine = { aheadOfMonotonicMs: clock.machineAheadOfMonotonicMs() };
    const compared = [...this.#peers.values()].flatMap(({ publication: { id, standing, aheadMs } }) => {
      const readMs = keeper.readings.aheadOf(readingOf(id), machine);
      const knowsMajority = standing === "agrees" || standing === "off";
      return readMs === null ? [] : [{ knowsMajority, aheadMs: readMs + aheadMs }];
    });
    return (compared.find(({ knowsMajority }) => knowsMajority) ?? compared[0])?.aheadMs ?? null;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#watching?.abort();
    await this.#publishing;
    await this.#lease.revoke();
  }

  async #follow(): Promise<void> {
    const { kv } = this.#options;
    const { entries, revision } = await kv.range(CLOCKS_PREFIX, { limit: COORDINATORS_MAX });
    if (this.#stopping.signal.aborted) return;
    const before = [...this.#peers.keys()];
    this.#peers.clear();
    for (const entry of entries) this.#receive(entry, false);
    for (const id of before.filter((one) => !this.#peers.has(one))) this.#forget(id);
    const watching = new AbortController();
    this.#watching = watching;
    const onBroken = () => {
      watching.abort();
      this.#watching = null;
    };
    const listener = {
      onEvents: (events: readonly KvEvent[]) => this.#onEvents(events),
      onProgress: () => undefined,
      onBroken,
    };
    kv.watch(CLOCKS_PREFIX, revision + 1, listener, watching.signal);
  }

  #onEvents(events: readonly KvEvent[]): void {
    for (const event of events) {
      if (event.kind === "put") this.#receive(event.entry, true);
      else this.#forget(event.key.slice(CLOCKS_PREFIX.length));
    }
    if (this.#hasUnanswered()) this.#respond();
  }

  #hasUnanswered(): boolean {
    return [...this.#peers.values()].some(({ isLive, isAnswered }) => isLive && !isAnswered);
  }

  #receive(entry: Entry, isLive: boolean): void {
    const { id, keeper, machine } = this.#options;
    const publication = decodePublication(entry.value);
    if (publication === null || publication.id === id) return;
    const receivedMs = machine.monotonicMs();
    const before = this.#peers.get(publication.id);
    const isAnswered = before?.isAnswered ?? false;
    this.#peers.set(publication.id, { publication, receivedMs, isLive, isAnswered });
    const echo = publication.echoes[id];
    const reading = echo && readEcho({ wallMs: publication.wallMs, ...echo, receivedMs });
    if (reading) keeper.readings.note(readingOf(publication.id), reading);
  }

  #forget(coordinatorId: string): void {
    this.#peers.delete(coordinatorId);
    this.#options.keeper.readings.forget(readingOf(coordinatorId));
  }

  /** What fails is made up for by the next turn. */
  #respond(): void {
    const sinceMs = this.#options.machine.monotonicMs() - this.#publishedMs;
    if (sinceMs < PUBLISH_GAP_MS) return;
    void this.#publish().catch(() => undefined);
  }

  /** One at a time, so that the later one holds. */
  #publish(): Promise<void> {
    const publishing = this.#publishing
      .then(() => this.#write())
      .catch((error: unknown) => {
        // Whoever writes records notes it, once; this one sees the others' clocks all the same.
        if (!(error instanceof StoreFullError)) throw error;
      });
    this.#publishing = publishing.catch(() => undefined);
    return publishing;
  }

  async #write(): Promise<void> {
    const { kv, id, machine, clock, keeper, isCandidate } = this.#options;
    if (this.#stopping.signal.aborted) return;
    const leaseId = await this.#lease.id();
    const sentMs = machine.monotonicMs();
    const peers = [...this.#peers];
    const echoes = Object.fromEntries(
      peers.map(([of, { publication, receivedMs }]) => [
        of,
        { sentMs: publication.sentMs, heldMs: sentMs - receivedMs },
      ]),
    );
    const aheadMs = -clock.machineAheadMs();
    const publication: ClockPublication = {
      id,
      wallMs: machine.now(),
      aheadMs,
      sentMs,
      echoes,
      ...keeper.verdict,
      isCandidate,
    };
    this.#publishedMs = sentMs;
    this.#publishedStanding = publication.standing;
    const puts = [{ key: clockKey(id), value: Buffer.from(JSON.stringify(publication)), leaseId }];
    await kv.txn({ compares: [], puts, deletes: [] });
    for (const [, peer] of peers) peer.isAnswered = peer.isLive;
  }
}

function readingOf(coordinatorId: string): string {
  return `coordinator/${coordinatorId}`;
}
