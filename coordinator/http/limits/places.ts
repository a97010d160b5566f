/**
 * Holds limits against creations that come at the same time: what is on its way into the store counts as if it were
 * there. Exact on one coordinator; several may each let through what the others have on their way.
 */
export class Places {
  /** What is on its way, by what it counts for. */
  readonly #coming = new Map<string, number>();

  /**
   * Takes places for so many more of `name`, of which `count` are in the view; null where that would be more than `max`.
   * Call what it returns once the creation is in the view or has failed.
   */
  take(name: string, count: number, max: number, more = 1): (() => void) | null {
    const coming = this.#coming.get(name) ?? 0;
    if (count + coming + more > max) return null;
    this.#coming.set(name, coming + more);
    return () => this.#release(name, more);
  }

  #release(name: string, places: number): void {
    const left = (this.#coming.get(name) ?? places) - places;
    if (left > 0) this.#coming.set(name, left);
    else this.#coming.delete(name);
  }
}

export interface PlaceDeps {
  readonly places: Places;
}
