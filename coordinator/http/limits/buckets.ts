/** A bounded map of buckets by whom they belong to. Who was longest without a request makes room for who is new. */

export interface Bucket {
  /** When the bucket for reads is full again, on the monotonic clock. */
  reads: number;
  writes: number;
}

export class Buckets {
  readonly #max: number;
  readonly #byOwner = new Map<string, Bucket>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#byOwner.size;
  }

  /** A new one is full. */
  of(owner: string): Bucket {
    const known = this.#byOwner.get(owner);
    if (known !== undefined) return known;
    if (this.#byOwner.size >= this.#max) this.#makeRoom();
    const bucket = { reads: 0, writes: 0 };
    this.#byOwner.set(owner, bucket);
    return bucket;
  }

  /** The one that has been full for longest, of the few that came first: looking at all would be an attacker's gain. */
  #makeRoom(): void {
    let oldest: string | null = null;
    let oldestAtMs = Number.POSITIVE_INFINITY;
    let looked = 0;
    for (const [owner, { reads, writes }] of this.#byOwner) {
      const atMs = Math.max(reads, writes);
      if (atMs < oldestAtMs) {
        oldest = owner;
        oldestAtMs = atMs;
      }
      looked += 1;
      if (looked === LOOKED_AT_MAX) break;
    }
    if (oldest !== null) this.#byOwner.delete(oldest);
  }
}

const LOOKED_AT_MAX = 16;
