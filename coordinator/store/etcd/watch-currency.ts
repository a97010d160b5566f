/**
 * Whether a watch has come to what the store has: the store's revision is read through consensus, and the watch must
 * reach it. What its own member says shows nothing of the sort, since that may be cut off from the others.
 */

const READ_EVERY_TICKS = 2;
/** A member that is in contact with the others lags by milliseconds. */
const LAG_MAX_MS = 2_000;

/** A revision that the store had after `sentAtMs`, and before `knownAtMs`. */
interface Mark {
  readonly revision: number;
  readonly sentAtMs: number;
  readonly knownAtMs: number;
}

export class WatchCurrency {
  readonly #readRevision: () => Promise<number>;
  readonly #onCurrent: (agoMs: number) => void;
  #ticks = 0;
  #isReading = false;
  /** That the watch has yet to reach. */
  #mark: Mark | null = null;
  #reached = 0;

  /** `onCurrent`: all that was written up to `agoMs` before has come. */
  constructor(readRevision: () => Promise<number>, onCurrent: (agoMs: number) => void) {
    this.#readRevision = readRevision;
    this.#onCurrent = onCurrent;
  }

  /** Reads at every second one, unless the watch has yet to reach what was read before. */
  tick(): void {
    this.#ticks += 1;
    if (this.#ticks % READ_EVERY_TICKS === 0 && !this.#isReading && this.#mark === null) void this.#read();
  }

  /** The watch has come to `revision`. */
  reached(revision: number): void {
    this.#reached = Math.max(this.#reached, revision);
    const mark = this.#mark;
    if (mark === null || this.#reached < mark.revision) return;
    this.#mark = null;
    this.#onCurrent(performance.now() - mark.sentAtMs);
  }

  /** Of a watch whose member says that all up to `revision` has come: how far others are, where it lags for too long; else null. */
  lagsBehind(revision: number): number | null {
    this.reached(revision);
    const mark = this.#mark;
    return mark !== null && performance.now() - mark.knownAtMs >= LAG_MAX_MS ? mark.revision : null;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const sentAtMs = performance.now();
    try {
      const revision = await this.#readRevision();
      this.#mark = { revision, sentAtMs, knownAtMs: performance.now() };
      this.reached(this.#reached);
    } catch {
      // While the store does not respond nobody knows; the view gets old.
    } finally {
      this.#isReading = false;
    }
  }
}
