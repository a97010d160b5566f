/**
 * Lets so many work at a time. The others wait, and those for whom they wait have their turns one after the other, so
 * that whoever requests often delays itself. A turn ends automatically after a while: its work continues, and no longer
 * counts.
 */
export class Turns {
  readonly #longestMs: number;
  #free: number;
  /** By whom they wait for, the one that is next first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(atATime: number, longestMs: number) {
    this.#free = atATime;
    this.#longestMs = longestMs;
  }

  /** Resolves when it is this one's turn, with the way to end it; ending it twice does nothing. */
  async take(of: string): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.set(of, [...(this.#waiting.get(of) ?? []), resolve]));
    let isOver = false;
    const end = () => {
      clearTimeout(limit);
      if (isOver) return;
      isOver = true;
      this.#next();
    };
    const limit = setTimeout(end, this.#longestMs);
    return end;
  }

  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    const [of, [first, ...others]] = next;
    this.#waiting.delete(of);
    if (others.length > 0) this.#waiting.set(of, others);
    first?.();
  }
}
