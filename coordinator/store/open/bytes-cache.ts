/**
 * Small inputs and results in memory, up to a number of bytes. Inputs of tasks that wait have their own share: the oldest
 * tasks start first, so where it is full a newer input is not cached, and read from the store when its task starts. Of the
 * others the most recently used stay.
 */
import { LRUCache } from "lru-cache";

export class BytesCache {
  readonly #awaited = new Map<string, Held>();
  readonly #awaitedBytesMax: number;
  #awaitedBytes = 0;
  readonly #recent: LRUCache<string, Held>;

  constructor(of: { readonly awaitedBytesMax: number; readonly recentBytesMax: number }) {
    this.#awaitedBytesMax = of.awaitedBytesMax;
    this.#recent = new LRUCache({ maxSize: of.recentBytesMax, sizeCalculation: (data, key) => costOf(key, data) });
  }

  get(key: string): Buffer | undefined {
    const held = this.#awaited.get(key) ?? this.#recent.get(key);
    return held === undefined ? undefined : bytesOf(held);
  }

  set(key: string, given: Buffer): void {
    this.#drop(key);
    this.#recent.set(key, heldOf(given));
  }

  /** Of a task that waits, until it is released or deleted. */
  setAwaited(key: string, given: Buffer): void {
    this.#drop(key);
    const cost = costOf(key, given);
    if (this.#awaitedBytes + cost > this.#awaitedBytesMax) return;
    this.#awaited.set(key, heldOf(given));
    this.#awaitedBytes += cost;
  }

  /** Its task no longer waits: whoever started it reads it now. */
  release(key: string): void {
    const data = this.#awaited.get(key);
    if (data === undefined) return;
    this.#drop(key);
    this.#recent.set(key, data);
  }

  delete(key: string): void {
    this.#drop(key);
    this.#recent.delete(key);
  }

  #drop(key: string): void {
    const data = this.#awaited.get(key);
    if (data === undefined) return;
    this.#awaited.delete(key);
    this.#awaitedBytes -= costOf(key, data);
  }
}

/** Few bytes as a string of one character each, of which V8 makes and collects many at a fraction of a buffer's cost. */
type Held = string | Buffer;

const STRING_BYTES_MAX = 1024;

/** A view of a request or of a response of etcd would keep all of it alive, and count as the few bytes it shows. */
function heldOf(data: Buffer): Held {
  if (data.length <= STRING_BYTES_MAX) return data.toString("latin1");
  if (data.byteLength === data.buffer.byteLength) return data;
  // Not of Node's pool, which is such a larger buffer itself.
  const copy = Buffer.allocUnsafeSlow(data.length);
  data.copy(copy);
  return copy;
}

function bytesOf(held: Held): Buffer {
  return typeof held === "string" ? Buffer.from(held, "latin1") : held;
}

/** An entry costs something even when it holds nothing. */
function costOf(key: string, data: Held): number {
  return key.length + data.length + 100;
}
