/** Every record of a kind, read from the store page by page: for work that is done now and then over all of them. */

import type { Versioned } from "../domain/versioned.ts";
import { decodeRecord } from "./codec.ts";
import { type RecordKind, recordPrefix } from "./keys.ts";
import type { Kv } from "./kv.ts";
import type { RecordTypes } from "./store.ts";

const PAGE_ENTRIES = 500;

export async function* readAll<K extends RecordKind>(kv: Pick<Kv, "range">, kind: K): AsyncGenerator<RecordTypes[K]> {
  for await (const { value } of readAllVersioned(kv, kind)) yield value;
}

/**
 * Each page as of the moment when it is read: what is written meanwhile may be in it or not. With `idPrefix`, only records whose
 * id begins with it.
 */
export async function* readAllVersioned<K extends RecordKind>(
  kv: Pick<Kv, "range">,
  kind: K,
  idPrefix = "",
): AsyncGenerator<Versioned<RecordTypes[K]>> {
  let afterKey: string | undefined;
  for (;;) {
    const page = await kv.range(recordPrefix(kind) + idPrefix, {
      limit: PAGE_ENTRIES,
      ...(afterKey === undefined ? {} : { afterKey }),
    });
    for (const { value, revision } of page.entries) {
      yield { value: decodeRecord(value).value as RecordTypes[K], revision };
    }
    afterKey = page.entries.at(-1)?.key;
    if (!page.more || afterKey === undefined) return;
  }
}
