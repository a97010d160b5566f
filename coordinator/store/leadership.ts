/**
 * Which coordinator leads. The leader's key stands under its lease, and its revision is the leader's epoch. The
 * lease only shows the others when they may try; what keeps a deposed leader from writing is that its commits
 * compare the epoch.
 */
import type { Clock, Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import { LEADER_KEY } from "./keys.ts";
import { type Kv, type Lease, OutcomeUnknownError, StoreChangedError } from "./kv.ts";

/** How long nobody leads after a leader was killed, at most, but for the checks below. */
export const LEASE_MS = 4000;
const CHECK_MS = 500;

/** Who leads, as its key says; null while nobody does. */
export async function readLeader(
  kv: Pick<Kv, "read">,
): Promise<{ readonly id: string; readonly since: Instant } | null> {
  const [entry] = (await kv.read([LEADER_KEY])).entries;
  if (entry === null || entry === undefined) return null;
  const { coordinatorId, since } = JSON.parse(entry.value.toString("utf8")) as {
    readonly coordinatorId: string;
    readonly since: Instant;
  };
  return { id: coordinatorId, since };
}

export interface Leadership {
  /** The epoch while this process surely leads, else null. */
  epoch(): number | null;
  /** Called after leadership was gained or lost. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
  /** Resigns, so that another coordinator leads at once. */
  stop(): Promise<void>;
}

export interface CampaignOptions {
  readonly kv: Kv;
  readonly coordinatorId: string;
  /** What is led; default the scheduling, which commits can be guarded by. */
  readonly key?: string;
  readonly clock: Pick<Clock, "now">;
  /** Where it returns false, this coordinator does not stand, and resigns; always true where it is left out. */
  readonly mayLead?: () => boolean;
  /** Where it returns false, this coordinator no longer leads from that moment; always true where it is left out. */
  readonly canLead?: () => boolean;
  readonly log: Logger;
}

export function campaign(options: CampaignOptions): Leadership {
  return new Campaign(options);
}

interface Term {
  readonly epoch: number;
  readonly lease: Lease;
}

class Campaign implements Leadership {
  readonly #options: CampaignOptions;
  readonly #key: string;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  readonly #finished: Promise<void>;
  #term: Term | null = null;

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.#key = options.key ?? LEADER_KEY;
    this.#finished = this.#run();
  }

  epoch(): number | null {
    const term = this.#term;
    return term !== null && term.lease.remainingMs() > 0 && this.#canLead() ? term.epoch : null;
  }

  subscribe(listener: () => void): () => void {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#finished;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const { entries } = await this.#options.kv.read([this.#key]);
        if (entries[0] === null && this.#mayLead() && !signal.aborted) await this.#stand();
      } catch (error) {
        // It is reported by whoever found that out.
        if (error instanceof StoreChangedError) return;
        this.#options.log.warn({ err: error }, "the campaign for leadership failed and is retried");
      }
      await pause(CHECK_MS, signal);
    }
  }

  /** Tries to become leader, and leads for as long as it lasts. */
  async #stand(): Promise<void> {
    const lease = await this.#options.kv.lease(LEASE_MS);
    try {
      const epoch = await this.#take(lease);
      if (epoch !== null) await this.#lead({ epoch, lease });
    } finally {
      // Where this fails too, the lease expires.
      await lease.revoke().catch(() => undefined);
    }
  }

  /** The epoch of the new term, or null when another was faster. */
  async #take(lease: Lease): Promise<number | null> {
    const { kv, coordinatorId, clock } = this.#options;
    const value = Buffer.from(JSON.stringify({ coordinatorId, leaseId: lease.id, since: clock.now() }));
    const txn = {
      compares: [{ key: this.#key, revision: 0 }],
      puts: [{ key: this.#key, value, leaseId: lease.id }],
      deletes: [],
    };
    try {
      const outcome = await kv.txn(txn);
      return outcome.applied ? outcome.revision : null;
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) throw error;
      const { entries } = await kv.read([this.#key]);
      return entries[0]?.value.equals(value) ? entries[0].revision : null;
    }
  }

  async #lead(term: Term): Promise<void> {
    const { log, coordinatorId } = this.#options;
    const { signal } = this.#stopping;
    this.#term = term;
    log.info({ coordinatorId, epoch: term.epoch }, "this coordinator leads");
    this.#notify();
    const deposed = new AbortController();
    try {
      while (!signal.aborted && !deposed.signal.aborted && this.#mayLead() && term.lease.remainingMs() > 0) {
        // Not waited for: a response that hangs must not hide that the lease is over.
        void this.#isStillWritten(term).then((written) => written || deposed.abort());
        await pause(Math.min(CHECK_MS, term.lease.remainingMs()), signal);
      }
    } finally {
      this.#term = null;
      log.info({ coordinatorId, epoch: term.epoch }, "this coordinator no longer leads");
      this.#notify();
    }
  }

  /** True also when the store does not respond: then the lease decides. */
  async #isStillWritten({ epoch }: Term): Promise<boolean> {
    try {
      const { entries } = await this.#options.kv.read([this.#key]);
      return entries[0]?.revision === epoch;
    } catch {
      return true;
    }
  }

  #mayLead(): boolean {
    return (this.#options.mayLead?.() ?? true) && this.#canLead();
  }

  #canLead(): boolean {
    return this.#options.canLead?.() ?? true;
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#options.log.error({ err: error }, "a subscriber of the leadership failed");
      }
    }
  }
}
