/** Every record of a kind, read from the store page by page: for work that is done now and then over all of them. */

import type { Versioned } from "../domain/versioned.ts";
import { readRecord, UnreadableRecordError } from "./codec.ts";
import { type RecordKind, recordPrefix } from "./keys.ts";
import type { Kv } from "./kv.ts";
import type { RecordTypes } from "./store.ts";

const PAGE_ENTRIES = 500;

/** Rejects with UnreadableRecordError where one was written by a later version: whoever removes what nothing refers to must not. */
export async function* readAll<K extends RecordKind>(kv: Pick<Kv, "range">, kind: K): AsyncGenerator<RecordTypes[K]> {
  for await (const { value } of readAllVersioned(kv, kind)) yield value;
}

/**
 * Each page as of the moment when it is read: what is written meanwhile may be in it or not. With `idPrefix`, only records whose
 * id begins with it. With `passOver`, records of a later version are handed to it and left out; else it rejects at the first.
 */
export async function* readAllVersioned<K extends RecordKind>(
  kv: Pick<Kv, "range">,
  kind: K,
  {
    idPrefix = "",
    passOver,
  }: { readonly idPrefix?: string; readonly passOver?: (error: UnreadableRecordError) => void } = {},
): AsyncGenerator<Versioned<RecordTypes[K]>> {
  let afterKey: string | undefined;
  for (;;) {
    const page = await kv.range(recordPrefix(kind) + idPrefix, {
      limit: PAGE_ENTRIES,
      ...(afterKey === undefined ? {} : { afterKey }),
    });
    for (const { key, value, revision } of page.entries) {
      const read = readUnless(kind, key, value, passOver);
      if (read !== null) yield { value: read as RecordTypes[K], revision };
    }
    afterKey = page.entries.at(-1)?.key;
    if (!page.more || afterKey === undefined) return;
  }
}

function readUnless(
  kind: RecordKind,
  key: string,
  value: Buffer,
  passOver: ((error: UnreadableRecordError) => void) | undefined,
): object | null {
  try {
    return readRecord(kind, key.slice(recordPrefix(kind).length), value);
  } catch (error) {
    if (!(error instanceof UnreadableRecordError) || passOver === undefined) throw error;
    passOver(error);
    return null;
  }
}
