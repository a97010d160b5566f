/**
 * Tells whoever follows a task's logs in this process that there is more. Only a hint: bytes that come to another
 * coordinator are found by looking again.
 */
export class LogNews {
  readonly #listeners = new Map<string, Set<() => void>>();

  grew(taskId: string): void {
    for (const listener of this.#listeners.get(taskId) ?? []) listener();
  }

  /** Answers how to stop. */
  listen(taskId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(taskId) ?? new Set();
    this.#listeners.set(taskId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(taskId) === listeners) this.#listeners.delete(taskId);
    };
  }
}
