/**
 * Waits out a view that is too old for a moment, as in a pause of this process or of the store: a request is answered
 * late rather than refused. Once the view is as old as `HOPE_MS`, nobody waits any more.
 */
import { VIEW_AGE_MAX_MS } from "../auth/authenticate.ts";
import type { View } from "../store/store.ts";

const HOPE_MS = 2 * VIEW_AGE_MAX_MS;
const LOOK_EVERY_MS = 20;

export class FreshView {
  readonly #view: Pick<View, "ageMs">;
  /** One for all who wait. */
  #waiting: Promise<void> | null = null;

  constructor(view: Pick<View, "ageMs">) {
    this.#view = view;
  }

  /** Resolves when the view is young again, or too old to wait for. */
  comesOrNot(): Promise<void> {
    if (this.#isSettled()) return Promise.resolve();
    this.#waiting ??= this.#wait();
    return this.#waiting;
  }

  async #wait(): Promise<void> {
    while (!this.#isSettled()) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    this.#waiting = null;
  }

  #isSettled(): boolean {
    const ageMs = this.#view.ageMs();
    return ageMs <= VIEW_AGE_MAX_MS || ageMs > HOPE_MS;
  }
}
