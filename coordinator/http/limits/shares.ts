/**
 * Shares of something of which there is only so much at a time. One team takes at most a quarter, and so does one
 * user, whatever number of keys and teams they have: three others always find theirs.
 */
import type { AccessKey } from "../../domain/access-key.ts";

export interface Holder {
  readonly key: Pick<AccessKey, "id" | "userId">;
  /** For which the request acts. */
  readonly teamId: string;
}

const PART_OF_ONE = 1 / 4;

export class Shares {
  readonly #max: number;
  readonly #keyMax: number;
  #taken = 0;
  readonly #byOwner = new Map<string, number>();

  /** A key may be bound further: one program that went wrong leaves others of its team their part. */
  constructor({ max, keyMax }: { readonly max: number; readonly keyMax?: number }) {
    this.#max = max;
    this.#keyMax = keyMax ?? max * PART_OF_ONE;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Whether there was room; where there was none nothing is taken. */
  take({ key, teamId }: Holder, amount = 1): boolean {
    const isFull =
      this.#taken + amount > this.#max ||
      this.#of(`key/${key.id}`) + amount > this.#keyMax ||
      this.#of(`user/${key.userId}`) + amount > this.#max * PART_OF_ONE ||
      this.#of(`team/${teamId}`) + amount > this.#max * PART_OF_ONE;
    if (!isFull) this.#add({ key, teamId }, amount);
    return !isFull;
  }

  give(holder: Holder, amount = 1): void {
    this.#add(holder, -amount);
  }

  #of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  #add({ key, teamId }: Holder, amount: number): void {
    this.#taken += amount;
    for (const owner of [`key/${key.id}`, `user/${key.userId}`, `team/${teamId}`]) {
      const now = this.#of(owner) + amount;
      if (now > 0) this.#byOwner.set(owner, now);
      else this.#byOwner.delete(owner);
    }
  }
}
