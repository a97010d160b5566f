/** One number for everything that happened in a run, in its order: two runs with the same one took the same course. */
export class TraceHash {
  #high = 0x811c9dc5;
  #low = 0xcbf29ce4;
  readonly #ofText = new Map<string, number>();
  readonly #double = new Float64Array(1);
  readonly #words = new Uint32Array(this.#double.buffer);

  add(atMs: number, text: string): void {
    this.#double[0] = atMs;
    this.#mix(this.#words[0] ?? 0);
    this.#mix(this.#words[1] ?? 0);
    this.#mix(this.#hashOf(text));
  }

  /** 16 hexadecimal digits. */
  digest(): string {
    return [this.#high, this.#low].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  #mix(word: number): void {
    this.#high = Math.imul(this.#high ^ word, 0x01000193) ^ (this.#low >>> 7);
    this.#low = Math.imul(this.#low ^ word, 0x85ebca6b) ^ (this.#high >>> 13);
  }

  #hashOf(text: string): number {
    const known = this.#ofText.get(text);
    if (known !== undefined) return known;
    let hash = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    this.#ofText.set(text, hash);
    return hash;
  }
}
