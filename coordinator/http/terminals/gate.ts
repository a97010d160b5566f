/** Closed while it is not known whether the caller may continue: nothing passes, and nothing is lost. */
export class Gate {
  #opened: PromiseWithResolvers<void> | null = null;

  close(): void {
    this.#opened ??= Promise.withResolvers();
  }

  open(): void {
    this.#opened?.resolve();
    this.#opened = null;
  }

  /** Resolves when it is open. */
  async pass(): Promise<void> {
    while (this.#opened !== null) await this.#opened.promise;
  }
}
