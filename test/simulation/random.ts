/**
 * Random numbers of a seed. Each purpose has its own stream, so that a fault that is left out of a run moves as little else
 * of it as possible.
 */
export interface Random {
  /** From 0 up to and without 1. */
  next(): number;
  between(least: number, most: number): number;
  /** A whole number from 0 up to and without `count`. */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  fill(bytes: Uint8Array): void;
  /** How often `fill` was called. */
  fills(): number;
}

/** The generator is sfc32, by Chris Doty-Humphrey (PractRand). */
export function randomOf(seed: number, purpose: string): Random {
  let [a, b, c, count] = [hashOf(purpose, seed), hashOf(purpose, ~seed), seed | 0, 1];
  const next32 = (): number => {
    const sum = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) next32();
  const next = (): number => next32() / 2 ** 32;
  let fills = 0;
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    below: (items) => Math.floor(next() * items),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("there is nothing to pick from");
      return item;
    },
    fills: () => fills,
    fill: (bytes) => {
      fills += 1;
      for (let at = 0; at < bytes.length; at++) bytes[at] = next32() >>> 24;
    },
  };
}

/** FNV-1a. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
