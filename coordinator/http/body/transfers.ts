/** Bounds the large bodies that are on their way to blobs at once: each is a socket and a file that grows. */
import { type Holder, Shares } from "../limits/shares.ts";
import { Problem } from "../problems/problem.ts";

const PLACES = { max: 64, keyMax: 8 };

export interface TransferDeps {
  readonly transfers: Transfers;
}

export class Transfers {
  readonly #places = new Shares(PLACES);

  /** Runs the transfer if there is room for one more. */
  async run<T>(holder: Holder, transfer: () => Promise<T>): Promise<T> {
    if (!this.#places.take(holder)) {
      throw new Problem("overloaded", "Too many large inputs are on their way in; send this one again in a moment.");
    }
    try {
      return await transfer();
    } finally {
      this.#places.give(holder);
    }
  }
}
