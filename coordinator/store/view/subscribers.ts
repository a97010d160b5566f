/** Who is notified of changes: called one after the other, at once. One that throws is logged and stops no other. */
import type { Logger } from "@elastic/std/log.ts";
import type { RecordChange } from "../store.ts";

export class Subscribers<T> {
  readonly #log: Logger;
  readonly #listeners = new Set<(change: RecordChange<T>) => void>();

  constructor(log: Logger) {
    this.#log = log;
  }

  add(listener: (change: RecordChange<T>) => void): () => void {
    // Wrapped, so that one function subscribed twice is two subscriptions.
    const entry = (change: RecordChange<T>) => listener(change);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  notify(change: RecordChange<T>): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#log.error({ err: error, id: change.id }, "a subscriber of the view failed");
      }
    }
  }
}
