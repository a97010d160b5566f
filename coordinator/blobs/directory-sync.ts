/**
 * Makes renames into a directory durable. A sync covers every rename done before it began, so callers that come
 * while one is under way share the next: under load one fsync serves many puts, and a lone put waits for one only.
 */
import { open } from "node:fs/promises";

export class DirectorySync {
  readonly #path: string;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once a sync that began after this call is done. */
  sync(): Promise<void> {
    if (this.#running === null) return this.#start();
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<void> {
    this.#next = null;
    const running = syncOnce(this.#path).finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }
}

async function syncOnce(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
