/** Small inputs and results, the most recently used up to a number of bytes. */
import { LRUCache } from "lru-cache";

export class BytesCache {
  readonly #entries: LRUCache<string, Buffer>;

  constructor(bytesMax: number) {
    this.#entries = new LRUCache({ maxSize: bytesMax, sizeCalculation: (data, key) => costOf(key, data) });
  }

  get(key: string): Buffer | undefined {
    return this.#entries.get(key);
  }

  set(key: string, given: Buffer): void {
    this.#entries.set(key, alone(given));
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

/** A view of a request or of a response of etcd would keep all of it alive, and count as the few bytes it shows. */
function alone(data: Buffer): Buffer {
  if (data.byteLength === data.buffer.byteLength) return data;
  // Not of Node's pool, which is such a larger buffer itself.
  const copy = Buffer.allocUnsafeSlow(data.length);
  data.copy(copy);
  return copy;
}

/** An entry costs something even when it holds nothing. */
function costOf(key: string, data: Buffer): number {
  return key.length + data.length + 100;
}
