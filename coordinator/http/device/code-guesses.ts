/** Bounds how many wrong user codes a user may type: 20^8 of them are too many to try, and this keeps them so. */
import { DEVICE_CODE_MS } from "../../domain/device-code.ts";

export const WRONG_CODES_MAX = 10;
const USERS_MAX = 10_000;

interface Guesses {
  readonly sinceMs: number;
  count: number;
}

export class CodeGuesses {
  /** By user; the one who began first is first. */
  readonly #byUser = new Map<string, Guesses>();

  /** Whether the user has typed too many within the life of a code. */
  isExhausted(userId: string, nowMs: number): boolean {
    const guesses = this.#byUser.get(userId);
    if (guesses !== undefined && nowMs - guesses.sinceMs >= DEVICE_CODE_MS) this.#byUser.delete(userId);
    return (this.#byUser.get(userId)?.count ?? 0) >= WRONG_CODES_MAX;
  }

  noteWrong(userId: string, nowMs: number): void {
    const guesses = this.#byUser.get(userId);
    if (guesses !== undefined) {
      guesses.count += 1;
      return;
    }
    if (this.#byUser.size >= USERS_MAX) this.#byUser.delete(this.#byUser.keys().next().value ?? "");
    this.#byUser.set(userId, { sinceMs: nowMs, count: 1 });
  }
}
