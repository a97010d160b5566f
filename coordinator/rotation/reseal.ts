/**
 * Seals everything in the store again that another key than the first sealed. Each record is changed by compare-and-swap:
 * what a coordinator writes meanwhile stays. Stopped at any point, it is done again and continues.
 */
import { keyIdOfSealed, type Secrets } from "../secrets/secrets.ts";
import type { RecordKind } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";
import { readAllVersioned } from "../store/read-all.ts";
import type { RecordTypes, Store } from "../store/store.ts";
import { TooManyConflictsError, TRIES_MAX, updateRecord } from "../store/update.ts";
import { SEALED_RECORDS, SEALED_VALUES, type SealedRecords, type SealedValue, type Turn } from "./sealed-places.ts";

/** Records at a time: a commit takes a few milliseconds, most of them etcd's disk. */
const AT_ONCE = 16;

export interface ResealContext {
  readonly kv: Pick<Kv, "range" | "read" | "txn">;
  readonly store: Pick<Store, "get" | "commit">;
  readonly secrets: Pick<Secrets, "seal" | "open" | "keyIds">;
  /** Of each place, while it is under way. */
  readonly progress: (what: string, resealed: number) => void;
}

export interface Resealed {
  readonly what: string;
  readonly resealed: number;
  /** Envelopes of keys that are not in the key file. They stay as they are. */
  readonly unopened: number;
}

export async function reseal(context: ResealContext): Promise<readonly Resealed[]> {
  const done: Resealed[] = [];
  for (const place of SEALED_RECORDS) done.push(await resealRecords(context, place));
  for (const place of SEALED_VALUES) done.push(await resealValue(context, place));
  return done;
}

async function resealRecords(context: ResealContext, place: SealedRecords): Promise<Resealed> {
  const { kv, store, progress } = context;
  const work = new Resealing(context.secrets);
  let outdated: string[] = [];
  let resealed = 0;
  const resealOne = async (kind: RecordKind, id: string): Promise<void> => {
    const { isChanged } = await updateRecord(
      store,
      kind,
      () => store.get(kind, id),
      (record) => (work.isOutdated(place, record) ? place.turned(record, work.turn) : record),
    );
    if (isChanged) resealed += 1;
    progress(place.what, resealed);
  };
  for await (const { value } of readAllVersioned(kv, place.kind)) {
    if (!work.isOutdated(place, value)) continue;
    outdated.push((value as { readonly id: string }).id);
    if (outdated.length < AT_ONCE) continue;
    await allOf(outdated.map((id) => resealOne(place.kind, id)));
    outdated = [];
  }
  await allOf(outdated.map((id) => resealOne(place.kind, id)));
  return { what: place.what, resealed, unopened: work.unopened };
}

/** After a failure too, nothing is under way any more. */
async function allOf(changes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(changes)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

async function resealValue({ kv, secrets }: ResealContext, place: SealedValue): Promise<Resealed> {
  const work = new Resealing(secrets);
  for (let tries = 1; ; tries += 1) {
    const [entry] = (await kv.read([place.key])).entries;
    if (entry == null) return { what: place.what, resealed: 0, unopened: 0 };
    const value = place.turned(entry.value, work.turn);
    if (value.equals(entry.value)) return { what: place.what, resealed: 0, unopened: work.unopened };
    const compares = [{ key: place.key, revision: entry.revision }];
    const { applied } = await kv.txn({ compares, puts: [{ key: place.key, value }], deletes: [] });
    if (applied) return { what: place.what, resealed: 1, unopened: work.unopened };
    if (tries === TRIES_MAX) throw new TooManyConflictsError([]);
  }
}

class Resealing {
  readonly #secrets: Pick<Secrets, "seal" | "open" | "keyIds">;
  unopened = 0;

  constructor(secrets: Pick<Secrets, "seal" | "open" | "keyIds">) {
    this.#secrets = secrets;
  }

  readonly turn: Turn = (sealed, context) => {
    if (!this.#isOf(sealed, "an earlier key")) return sealed;
    return this.#secrets.seal(this.#secrets.open(sealed, context), context);
  };

  /** Whether anything in it is to be sealed again. */
  isOutdated<K extends RecordKind>(place: SealedRecords<K>, record: RecordTypes[K]): boolean {
    let isOutdated = false;
    place.turned(record, (sealed) => {
      if (this.#isOf(sealed, "an earlier key")) isOutdated = true;
      else if (this.#isOf(sealed, "no live key")) this.unopened += 1;
      return sealed;
    });
    return isOutdated;
  }

  #isOf(sealed: string, which: "an earlier key" | "no live key"): boolean {
    const at = this.#secrets.keyIds().indexOf(keyIdOfSealed(sealed));
    return which === "an earlier key" ? at > 0 : at < 0;
  }
}
