/** Holds quotas against creations that come at the same time. */
import { QUOTA_WORDS, QUOTAS, type QuotaName, type Quotas } from "../../domain/quotas.ts";
import { Problem } from "../problems/problem.ts";
import { Places } from "./places.ts";

export interface QuotaDeps {
  readonly quotas: QuotaBook;
}

export class QuotaBook {
  readonly #max: Quotas;
  readonly #places = new Places();

  constructor(max: Partial<Quotas> = {}) {
    this.#max = { ...QUOTAS, ...max };
  }

  /**
   * Takes places for so many more of `ownerId`, who has `count` in the view: all or none. Call what it returns once the creation is
   * in the view or has failed.
   */
  take(quota: QuotaName, ownerId: string, count: number, more = 1): () => void {
    const max = this.#max[quota];
    const release = this.#places.take(`${quota}/${ownerId}`, count, max, more);
    if (release === null) throw more === 1 ? exceeded(quota, max) : exceededBy(quota, { count, max, more });
    return release;
  }

  maxOf(quota: QuotaName): number {
    return this.#max[quota];
  }
}

function exceeded(quota: QuotaName, max: number): Problem {
  const { whose, what } = QUOTA_WORDS[quota];
  return new Problem("quota_exceeded", `${whose} has ${max} ${what}, and can have no more until one is gone.`);
}

function exceededBy(
  quota: QuotaName,
  { count, max, more }: { readonly count: number; readonly max: number; readonly more: number },
): Problem {
  const { whose, what } = QUOTA_WORDS[quota];
  const detail = `${whose} has ${count} of at most ${max} ${what}, and ${more} more would exceed that. Nothing was created.`;
  return new Problem("quota_exceeded", detail);
}
