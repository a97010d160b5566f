/**
 * Which coordinators live, and where agents reach them: each has its own lease. Their list is requested
 * every second, which also shows a coordinator that its own entry is gone and has to be made again.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type Loop, startLoop } from "@elastic/std/loop.ts";
import { COORDINATOR_FACTS_PREFIX, COORDINATORS_PREFIX, coordinatorFactsKey, coordinatorKey } from "./keys.ts";
import { type Kv, type Lease, StoreChangedError, StoreFullError } from "./kv.ts";
import { readLeader } from "./leadership.ts";

const LEASE_MS = 10_000;
const REFRESH_MS = 1000;
const COORDINATORS_MAX = 100;
/** A coordinator that only reads would not come to know that the store takes no writes, or takes them again. */
const WRITE_EVERY_TURNS = 10;

/** What operators see of a coordinator that agents are linked to. */
export interface CoordinatorFacts {
  readonly id: string;
  readonly grpcAddress: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly startedAt: Instant;
}

export interface Coordinators {
  /** The oldest first. */
  readonly living: readonly CoordinatorFacts[];
  /** Null while none leads. */
  readonly leader: { readonly id: string; readonly since: Instant } | null;
}

export async function readCoordinators(kv: Pick<Kv, "range" | "read">): Promise<Coordinators> {
  const [{ entries }, leader] = await Promise.all([
    kv.range(COORDINATOR_FACTS_PREFIX, { limit: COORDINATORS_MAX }),
    readLeader(kv),
  ]);
  const living = entries.map(({ value }) => JSON.parse(value.toString("utf8")) as CoordinatorFacts);
  return { living: living.sort((a, b) => a.startedAt - b.startedAt), leader };
}

/** Where they are reached, as of now. */
export async function livingCoordinators(kv: Pick<Kv, "range">): Promise<readonly string[]> {
  const { entries } = await kv.range(COORDINATORS_PREFIX, { limit: COORDINATORS_MAX });
  return entries.map(({ value }) => value.toString("utf8"));
}

export interface Announcement {
  /** `host:port` of every living coordinator, this one included; the last that were known while the store is away. */
  addresses(): readonly string[];
  stop(): Promise<void>;
}

export interface AnnounceOptions {
  readonly kv: Kv;
  readonly facts: CoordinatorFacts;
  readonly log: Logger;
}

/** Resolves once the others can see it; while the store is full they cannot, and reads are served all the same. */
export async function announce(options: AnnounceOptions): Promise<Announcement> {
  const announcer = new Announcer(options);
  await announcer.refresh().catch((error: unknown) => {
    if (!(error instanceof StoreFullError)) throw error;
  });
  announcer.start();
  return announcer;
}

class Announcer implements Announcement {
  readonly #options: AnnounceOptions;
  #addresses: readonly string[];
  #lease: Lease | null = null;
  #turns = 0;
  #loop: Loop | null = null;

  constructor(options: AnnounceOptions) {
    this.#options = options;
    this.#addresses = [options.facts.grpcAddress];
  }

  addresses(): readonly string[] {
    return this.#addresses;
  }

  start(): void {
    this.#loop = startLoop({
      everyMs: REFRESH_MS,
      turn: () => this.refresh(),
      onOutcome: (outcome) => {
        if (outcome.kind === "succeeded") return;
        // Of a full store the room is noted by whoever writes, once, and likewise that it is another.
        if (outcome.error instanceof StoreFullError || outcome.error instanceof StoreChangedError) return;
        this.#options.log.warn({ err: outcome.error }, "the list of coordinators could not be refreshed");
      },
    });
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    await this.#lease?.revoke().catch(() => undefined);
  }

  async refresh(): Promise<void> {
    const { kv, facts } = this.#options;
    const { entries } = await kv.range(COORDINATORS_PREFIX, { limit: COORDINATORS_MAX });
    const own = coordinatorKey(facts.id);
    this.#turns += 1;
    if (!entries.some(({ key }) => key === own)) await this.#enter();
    else if (this.#turns % WRITE_EVERY_TURNS === 0) await this.#write();
    const others = entries.filter(({ key }) => key !== own).map(({ value }) => value.toString("utf8"));
    this.#addresses = [...new Set([facts.grpcAddress, ...others])].sort();
  }

  async #enter(): Promise<void> {
    const before = this.#lease;
    this.#lease = await this.#options.kv.lease(LEASE_MS);
    // It has ended in the store; this ends its renewals here.
    await before?.revoke().catch(() => undefined);
    await this.#write();
  }

  async #write(): Promise<void> {
    const { kv, facts } = this.#options;
    const leaseId = this.#lease?.id;
    if (leaseId === undefined) return;
    const puts = [
      { key: coordinatorKey(facts.id), value: Buffer.from(facts.grpcAddress), leaseId },
      { key: coordinatorFactsKey(facts.id), value: Buffer.from(JSON.stringify(facts)), leaseId },
    ];
    await kv.txn({ compares: [], puts, deletes: [] });
  }
}
