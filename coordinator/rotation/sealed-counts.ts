/** How many envelopes each key has in the store, place by place. */
import { keyIdOfSealed } from "../secrets/secrets.ts";
import type { Kv } from "../store/kv.ts";
import { readAllVersioned } from "../store/read-all.ts";
import { SEALED_RECORDS, SEALED_VALUES, type Turn } from "./sealed-places.ts";

export interface PlaceCount {
  readonly what: string;
  readonly keyId: string;
  readonly count: number;
}

/** Linearizable, page by page: what is sealed while it counts may be missing. */
export async function countSealed(kv: Pick<Kv, "range" | "read">): Promise<readonly PlaceCount[]> {
  const counts: PlaceCount[] = [];
  for (const place of SEALED_RECORDS) {
    const tally = new Tally();
    for await (const { value } of readAllVersioned(kv, place.kind)) place.turned(value, tally.turn);
    counts.push(...tally.of(place.what));
  }
  const { entries } = await kv.read(SEALED_VALUES.map(({ key }) => key));
  for (const [index, place] of SEALED_VALUES.entries()) {
    const tally = new Tally();
    const entry = entries[index];
    if (entry != null) place.turned(entry.value, tally.turn);
    counts.push(...tally.of(place.what));
  }
  return counts;
}

export function sumByKey(counts: readonly PlaceCount[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { keyId, count } of counts) sums.set(keyId, (sums.get(keyId) ?? 0) + count);
  return sums;
}

class Tally {
  readonly #counts = new Map<string, number>();

  readonly turn: Turn = (sealed) => {
    const keyId = keyIdOfSealed(sealed);
    this.#counts.set(keyId, (this.#counts.get(keyId) ?? 0) + 1);
    return sealed;
  };

  of(what: string): readonly PlaceCount[] {
    return [...this.#counts].map(([keyId, count]) => ({ what, keyId, count }));
  }
}
