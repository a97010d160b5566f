/**
 * Holds quotas against creations that come at the same time: what is on its way into the store counts as if it were
 * there. Exact on one coordinator; several may each let through what the others have on their way.
 */
import { QUOTA_WORDS, QUOTAS, type QuotaName, type Quotas } from "../../domain/quotas.ts";
import { Problem } from "../problem.ts";

export class QuotaBook {
  readonly #max: Quotas;
  /** What is on its way, by quota and owner. */
  readonly #coming = new Map<string, number>();

  constructor(max: Partial<Quotas> = {}) {
    this.#max = { ...QUOTAS, ...max };
  }

  /**
   * Takes a place for one more of `ownerId`, who has `count` in the view. Call what it answers once the creation is
   * in the view or has failed.
   */
  take(quota: QuotaName, ownerId: string, count: number): () => void {
    const name = `${quota}/${ownerId}`;
    const coming = this.#coming.get(name) ?? 0;
    const max = this.#max[quota];
    if (count + coming >= max) throw exceeded(quota, max);
    this.#coming.set(name, coming + 1);
    return () => this.#give(name);
  }

  maxOf(quota: QuotaName): number {
    return this.#max[quota];
  }

  #give(name: string): void {
    const left = (this.#coming.get(name) ?? 1) - 1;
    if (left > 0) this.#coming.set(name, left);
    else this.#coming.delete(name);
  }
}

function exceeded(quota: QuotaName, max: number): Problem {
  const { whose, what } = QUOTA_WORDS[quota];
  return new Problem("quota_exceeded", `${whose} has ${max} ${what}, and can have no more until one is gone.`);
}
