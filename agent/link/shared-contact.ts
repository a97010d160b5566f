/**
 * What the agent's event loop and its heartbeat thread share, in memory that both see at once: when a coordinator last
 * acknowledged one of them, and when the loop last responded. Times are monotonic milliseconds of one clock.
 *
 * A gap without contact that has become too long counts although contact came back: on waking, a loop that was blocked
 * finds it here, whatever of its timers and messages comes first.
 */

const LAST_SENT = 0;
const FENCE_AFTER = 1;
/** Beginning of the latest gap that was too long when contact came back. */
const CROSSED = 2;
const LOOP_RESPONDED = 3;
const FIELDS = 4;
const NEVER = -1n;

export class SharedContact {
  readonly memory: SharedArrayBuffer;
  readonly #fields: BigInt64Array;

  /** `memory` is that of another one; its own if left out. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(FIELDS * BigInt64Array.BYTES_PER_ELEMENT);
    this.#fields = new BigInt64Array(this.memory);
    if (memory === undefined) this.#fields.fill(NEVER);
  }

  /** How long a gap without contact may be. */
  setFenceAfterMs(afterMs: number): void {
    Atomics.store(this.#fields, FENCE_AFTER, BigInt(afterMs));
  }

  /** A coordinator acknowledged, as of `nowMs`, what was sent at `sentAtMs`. */
  onAlive(sentAtMs: number, nowMs: number): void {
    const sent = wholeMs(sentAtMs);
    for (;;) {
      const last = this.#read(LAST_SENT);
      if (last >= sent) return;
      if (this.#isTooLong(last, nowMs)) this.#raise(CROSSED, last);
      if (Atomics.compareExchange(this.#fields, LAST_SENT, last, sent) === last) return;
    }
  }

  /** When the latest gap began that is, or was, too long; null where none was. */
  tooLongSince(nowMs: number): bigint | null {
    const last = this.#read(LAST_SENT);
    const gap = this.#isTooLong(last, nowMs) ? last : this.#read(CROSSED);
    return gap === NEVER ? null : gap;
  }

  onLoopResponds(nowMs: number): void {
    Atomics.store(this.#fields, LOOP_RESPONDED, wholeMs(nowMs));
  }

  /** For how long the loop has not responded. */
  loopSilentMs(nowMs: number): number {
    return Math.max(0, Number(wholeMs(nowMs) - this.#read(LOOP_RESPONDED)));
  }

  #isTooLong(last: bigint, nowMs: number): boolean {
    const after = this.#read(FENCE_AFTER);
    return after !== NEVER && last !== NEVER && wholeMs(nowMs) - last >= after;
  }

  #raise(field: number, to: bigint): void {
    for (;;) {
      const before = this.#read(field);
      if (before >= to || Atomics.compareExchange(this.#fields, field, before, to) === before) return;
    }
  }

  #read(field: number): bigint {
    return Atomics.load(this.#fields, field);
  }
}

function wholeMs(ms: number): bigint {
  return BigInt(Math.floor(ms));
}
