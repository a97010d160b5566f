/** What was noted lately, by its key: beyond a bound what was noted first is forgotten. */

/** Far more than happens between two lists of what was missed. */
const ENTRIES_MAX = 100_000;

export class Recent<Value> {
  readonly #entries = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= ENTRIES_MAX) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
