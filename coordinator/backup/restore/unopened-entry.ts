/** What of a backup cannot be opened, since its master key is lost. Pure. */
import { SEALED_RECORDS, SEALED_VALUES, type Turn } from "../../rotation/sealed-places.ts";
import { keyIdOfSealed } from "../../secrets/secrets.ts";
import { decodeRecord } from "../../store/codec.ts";
import { parseAnyRecordKey } from "../../store/keys.ts";
import type { RecordTypes } from "../../store/store.ts";
import type { BackupEntry } from "../file/lines.ts";

export interface UnopenedEntry {
  /** As operators read it, after a number. */
  readonly what: string;
  /** Whether a coordinator makes a new one at its start: with one that does not open, none starts. */
  readonly isRemade: boolean;
}

/** Null where nothing in it is sealed, or the given master keys open all of it. */
export function unopenedEntry({ key, value }: BackupEntry, masterKeys: readonly string[]): UnopenedEntry | null {
  let isUnopened = false;
  const look: Turn = (sealed) => {
    if (!masterKeys.includes(keyIdOfSealed(sealed))) isUnopened = true;
    return sealed;
  };
  const sole = SEALED_VALUES.find((place) => place.key === key);
  sole?.turned(value, look);
  const kind = parseAnyRecordKey(key)?.kind;
  const records = SEALED_RECORDS.find((place) => place.kind === kind);
  records?.turned(decodeRecord(value).value as RecordTypes[typeof records.kind], look);
  const what = sole?.what ?? records?.what;
  return isUnopened && what !== undefined ? { what, isRemade: sole !== undefined } : null;
}
