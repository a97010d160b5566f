/**
 * Runs the check that decides whether the store is the one that is known: one at a time, and all who need one that
 * begins from now on share the next.
 */

/** A watch of a member that lags gives cause at each of its answers. */
const SUSPECT_EVERY_MS = 250;
/** Nothing else shows that an operator has accepted the store at another coordinator. */
const PERIOD_MS = 10_000;

export class Confirmation {
  readonly #check: () => Promise<void>;
  readonly #periodic: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #again: NodeJS.Timeout | null = null;
  #stopped = false;

  /** `check` rejects where the store is another, or did not respond. */
  constructor(check: () => Promise<void>) {
    this.#check = check;
    this.#periodic = setInterval(() => this.suspect(), PERIOD_MS).unref();
  }

  /** Resolves once a check that began after this call has found the known store. */
  confirm(): Promise<void> {
    if (this.#running === null) return this.#run();
    const previous = this.#running.catch(() => undefined);
    this.#next ??= previous.then(() => {
      this.#next = null;
      return this.#run();
    });
    return this.#next;
  }

  /** Checks soon, and again until the store responds. */
  suspect(): void {
    if (this.#stopped || this.#again !== null) return;
    this.#again = setTimeout(() => {
      this.#again = null;
    }, SUSPECT_EVERY_MS).unref();
    this.confirm().catch(() => setTimeout(() => this.suspect(), SUSPECT_EVERY_MS).unref());
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#periodic);
  }

  async #run(): Promise<void> {
    const running = this.#check();
    this.#running = running;
    try {
      await running;
    } finally {
      this.#running = null;
    }
  }
}
