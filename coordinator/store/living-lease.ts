/** A lease that is granted again once it has ended: for what a process publishes of itself for as long as it lives. */
import type { Kv, Lease } from "./kv.ts";

export class LivingLease {
  readonly #kv: Pick<Kv, "lease">;
  readonly #ttlMs: number;
  #lease: Lease | null = null;

  constructor(kv: Pick<Kv, "lease">, ttlMs: number) {
    this.#kv = kv;
    this.#ttlMs = ttlMs;
  }

  /** False before the first one: what was published under it has ended too. */
  isAlive(): boolean {
    return this.#lease !== null && this.#lease.remainingMs() > 0;
  }

  /** Rejects where the store is away. */
  async id(): Promise<string> {
    const before = this.#lease;
    if (before !== null && this.isAlive()) return before.id;
    this.#lease = await this.#kv.lease(this.#ttlMs);
    // It has ended in the store; this ends its renewals here.
    await before?.revoke().catch(() => undefined);
    return this.#lease.id;
  }

  /** What fails is left to its end. */
  async revoke(): Promise<void> {
    await this.#lease?.revoke().catch(() => undefined);
  }
}
