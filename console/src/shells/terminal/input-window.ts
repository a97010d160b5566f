/** Input on its way to the shell: sent in pieces, of which only so much may wait there. */

const PIECE_BYTES = 16 * 1024;
/** As coordinator/http/terminals/terminal-limits.ts has it. */
const WINDOW_BYTES = 256 * 1024;

export class InputWindow {
  readonly #send: (piece: Uint8Array<ArrayBuffer>) => void;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #unacknowledgedBytes = 0;

  constructor(send: (piece: Uint8Array<ArrayBuffer>) => void) {
    this.#send = send;
  }

  push(bytes: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#waiting.push(bytes.subarray(at, at + PIECE_BYTES));
    this.#sendWhatMay();
  }

  acknowledge(bytes: number): void {
    this.#unacknowledgedBytes -= bytes;
    this.#sendWhatMay();
  }

  #sendWhatMay(): void {
    for (;;) {
      const [piece] = this.#waiting;
      if (piece === undefined || this.#unacknowledgedBytes + piece.length > WINDOW_BYTES) return;
      this.#waiting.shift();
      this.#unacknowledgedBytes += piece.length;
      this.#send(piece);
    }
  }
}
