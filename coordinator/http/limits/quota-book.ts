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
   * Takes a place for one more of `ownerId`, who has `count` in the view. Call what it returns once the creation is
   * in the view or has failed.
   */
  take(quota: QuotaName, ownerId: string, count: number): () => void {
    const max = this.#max[quota];
    const release = this.#places.take(`${quota}/${ownerId}`, count, max);
    if (release === null) throw exceeded(quota, max);
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
