/** Counts output that the client has not acknowledged, and holds back what would be too much. */
import { WINDOW_BYTES } from "./terminal-limits.ts";

export class SendWindow {
  #unacknowledgedBytes = 0;
  #wake: () => void = () => undefined;

  get unacknowledgedBytes(): number {
    return this.#unacknowledgedBytes;
  }

  sent(bytes: number): void {
    this.#unacknowledgedBytes += bytes;
  }

  /** False where more is acknowledged than was sent. */
  acknowledge(bytes: number): boolean {
    if (bytes > this.#unacknowledgedBytes) return false;
    this.#unacknowledgedBytes -= bytes;
    if (this.#hasRoom()) this.#wake();
    return true;
  }

  /** Resolves when another piece may be sent, or with the signal. One caller at a time. */
  async room(signal: AbortSignal): Promise<void> {
    if (this.#hasRoom() || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #hasRoom(): boolean {
    return this.#unacknowledgedBytes < WINDOW_BYTES;
  }
}
