/**
 * Waits for a view that is briefly too old, as in a pause of this process or of the store: a request gets a late response
 * rather than a refusal. Once the view is older than `STALENESS_MS_MAX`, nobody waits any more.
 */
import { VIEW_AGE_MAX_MS } from "../../auth/authenticate.ts";
import type { View } from "../../store/store.ts";

const STALENESS_MS_MAX = 2 * VIEW_AGE_MAX_MS;
const LOOK_EVERY_MS = 20;

export class FreshView {
  readonly #view: Pick<View, "ageMs">;
  /** One for all who wait. */
  #waiting: Promise<void> | null = null;

  constructor(view: Pick<View, "ageMs">) {
    this.#view = view;
  }

  /** Resolves when the view is fresh again, or too old to wait for. */
  untilFreshOrTimeout(): Promise<void> {
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
    return ageMs <= VIEW_AGE_MAX_MS || ageMs > STALENESS_MS_MAX;
  }
}
