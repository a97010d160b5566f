/**
 * The memory that a thread of native calls shares with the host's main thread: a slot for each call of the batch that the thread was
 * given last. Whoever claims a slot first has it: the thread to make the call, or the main thread to take it back.
 */

/** Of one batch. */
export const BATCH_CALLS_MAX = 16;

/** Words of a slot: who may claim it, whether it is cancelled, and its progress in millionths. */
const WORDS = 3;
const WORD_BYTES = 4;

export class CallSlots {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(BATCH_CALLS_MAX * WORDS * WORD_BYTES)) {
    this.shared = shared;
    this.#words = new Int32Array(shared);
  }

  /** Free for the batch of that number, and for none before. */
  reset(slot: number, batch: number): void {
    Atomics.store(this.#words, slot * WORDS + 1, 0);
    Atomics.store(this.#words, slot * WORDS + 2, 0);
    Atomics.store(this.#words, slot * WORDS, freeOf(batch));
  }

  /** Whether it was free. */
  claim(slot: number, batch: number): boolean {
    const free = freeOf(batch);
    return Atomics.compareExchange(this.#words, slot * WORDS, free, free + 1) === free;
  }

  cancel(slot: number): void {
    Atomics.store(this.#words, slot * WORDS + 1, 1);
  }

  progress(slot: number): number {
    return Atomics.load(this.#words, slot * WORDS + 2);
  }

  /** For the native call: the words where it reads whether to stop, and writes how far it is. */
  wordsOf(slot: number): { readonly cancel: Uint32Array; readonly progress: Uint32Array } {
    const word = (index: number) => new Uint32Array(this.shared, (slot * WORDS + index) * WORD_BYTES, 1);
    return { cancel: word(1), progress: word(2) };
  }
}

/** Even; the next number is that of a slot that was claimed. */
function freeOf(batch: number): number {
  return (2 * batch) | 0;
}
