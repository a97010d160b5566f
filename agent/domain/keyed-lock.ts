/** Lets one at a time do what goes by the same name; whoever waits may give up. */

export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const done = Promise.withResolvers<void>();
    const tail = before.then(() => done.promise);
    this.#tails.set(key, tail);
    try {
      await unlessAborted(before, signal);
      return await act();
    } finally {
      done.resolve();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

function unlessAborted(before: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
    void before.then(() => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    });
  });
}
