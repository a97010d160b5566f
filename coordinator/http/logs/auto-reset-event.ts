/** Wakes one who waits. A ring while nobody waits is heard by the next wait. */
export class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  /** Until it rings, the time is over, or the signal aborts. */
  async next(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, timeoutMs);
        signal.addEventListener("abort", this.ring, { once: true });
      });
      clearTimeout(timer);
      signal.removeEventListener("abort", this.ring);
      this.#wake = null;
    }
    this.#rung = false;
  }
}
