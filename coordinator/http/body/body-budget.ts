/**
 * Bounds the memory that request bodies may take together. A body is counted by what its head declares, before any
 * of it is read; small ones are free, so that large uploads of one key never hold up the small calls of all.
 */
import { Problem } from "../problem.ts";

const TOTAL_BYTES_MAX = 512 * 1024 * 1024;
/** A quarter, so that one key cannot take it all. */
const KEY_BYTES_MAX = 128 * 1024 * 1024;
export const FREE_BYTES = 64 * 1024;

export class BodyBudget {
  #total = 0;
  readonly #byKey = new Map<string, number>();

  /** Answers how to give the bytes back; null when the body is free. */
  take(keyId: string, bytes: number): (() => void) | null {
    if (bytes <= FREE_BYTES) return null;
    const ofKey = (this.#byKey.get(keyId) ?? 0) + bytes;
    if (this.#total + bytes > TOTAL_BYTES_MAX || ofKey > KEY_BYTES_MAX) {
      throw new Problem("overloaded", "Too many large bodies are on their way in; send this one again in a moment.");
    }
    this.#total += bytes;
    this.#byKey.set(keyId, ofKey);
    return () => this.#give(keyId, bytes);
  }

  #give(keyId: string, bytes: number): void {
    this.#total -= bytes;
    const left = (this.#byKey.get(keyId) ?? 0) - bytes;
    if (left > 0) this.#byKey.set(keyId, left);
    else this.#byKey.delete(keyId);
  }
}
