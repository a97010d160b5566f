/** Bounds the large bodies that are on their way to blobs at once: each is a socket and a file that grows. */
import { Problem } from "../problem.ts";

const TOTAL_MAX = 64;
const KEY_MAX = 8;

export class Transfers {
  #total = 0;
  readonly #byKey = new Map<string, number>();

  /** Runs the transfer if there is room for one more. */
  async run<T>(keyId: string, transfer: () => Promise<T>): Promise<T> {
    const ofKey = this.#byKey.get(keyId) ?? 0;
    if (this.#total >= TOTAL_MAX || ofKey >= KEY_MAX) {
      throw new Problem("overloaded", "Too many large inputs are on their way in; send this one again in a moment.");
    }
    this.#total++;
    this.#byKey.set(keyId, ofKey + 1);
    try {
      return await transfer();
    } finally {
      this.#total--;
      const left = (this.#byKey.get(keyId) ?? 1) - 1;
      if (left > 0) this.#byKey.set(keyId, left);
      else this.#byKey.delete(keyId);
    }
  }
}
