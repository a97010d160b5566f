/** Wakes the one that waits. Where it is set while nobody waits, the next wait returns at once. */
export class AutoResetEvent {
  #isSet = false;
  #wake: (() => void) | null = null;

  readonly set = (): void => {
    this.#isSet = true;
    this.#wake?.();
  };

  /** Until it is set, the time is over, or the signal aborts. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isSet && !signal.aborted) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, timeoutMs);
        signal.addEventListener("abort", this.set, { once: true });
      });
      clearTimeout(timer);
      signal.removeEventListener("abort", this.set);
      this.#wake = null;
    }
    this.#isSet = false;
  }
}
