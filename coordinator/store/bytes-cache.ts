/** Small inputs and results, the most recently used up to a number of bytes. */
export class BytesCache {
  readonly #bytesMax: number;
  readonly #entries = new Map<string, Buffer>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): Buffer | undefined {
    const data = this.#entries.get(key);
    if (data !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, data);
    }
    return data;
  }

  set(key: string, given: Buffer): void {
    this.delete(key);
    const data = alone(given);
    this.#entries.set(key, data);
    this.#bytes += costOf(key, data);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const data = this.#entries.get(key);
    if (data === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= costOf(key, data);
  }
}

/** A view of a request's body or of an answer of etcd would keep all of it alive, and count as the few bytes it shows. */
function alone(data: Buffer): Buffer {
  if (data.byteLength === data.buffer.byteLength) return data;
  // Not of Node's pool, which is such a whole itself.
  const copy = Buffer.allocUnsafeSlow(data.length);
  data.copy(copy);
  return copy;
}

/** An entry costs something even when it holds nothing. */
function costOf(key: string, data: Buffer): number {
  return key.length + data.length + 100;
}
