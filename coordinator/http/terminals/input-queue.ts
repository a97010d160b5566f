/** Input that has come and is not taken yet: written in order, joined, and never more than a window. */
import { WINDOW_BYTES } from "./terminal-limits.ts";

export interface InputQueueOptions {
  /** Resolves when more may be written. */
  readonly write: (bytes: Buffer) => Promise<void>;
  /** So many bytes have been written. */
  readonly written: (bytes: number) => void;
  readonly failed: (error: unknown) => void;
}

export class InputQueue {
  readonly #options: InputQueueOptions;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isWriting = false;

  constructor(options: InputQueueOptions) {
    this.#options = options;
  }

  /** False where the client has sent more than its window. */
  push(bytes: Buffer): boolean {
    if (this.#bytes + bytes.length > WINDOW_BYTES) return false;
    this.#bytes += bytes.length;
    this.#waiting.push(bytes);
    if (!this.#isWriting) void this.#writeAll();
    return true;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#waiting.length > 0) {
        const bytes = Buffer.concat(this.#waiting);
        this.#waiting = [];
        await this.#options.write(bytes);
        this.#bytes -= bytes.length;
        this.#options.written(bytes.length);
      }
    } catch (error) {
      this.#options.failed(error);
    } finally {
      this.#isWriting = false;
    }
  }
}
