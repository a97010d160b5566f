/** At a start: whether the store is the one that was known before, and what an operator's acceptance does. */
import type { Clock } from "@elastic/std/clock.ts";
import { META_KEY } from "../keys.ts";
import { type Kv, StoreChangedError } from "../kv.ts";
import { compareStore, epochAfter, type KnownStore, type StoreChange } from "./compare-store.ts";
import { describeChange } from "./describe-change.ts";
import { acceptAs, metaOf } from "./meta.ts";
import type { StoreIdentity } from "./store-identity.ts";

const TRIES_MAX = 20;

export interface AdmitOptions {
  readonly kv: Pick<Kv, "read" | "txn">;
  /** Knows the header of what `kv` answered last, and nothing of before. */
  readonly identity: Pick<StoreIdentity, "header">;
  /** Null at the first start. */
  readonly known: KnownStore | null;
  /** The epoch as which an operator accepts a store that is not the known one; null for never. */
  readonly acceptAs: number | null;
  readonly clock: Pick<Clock, "now">;
}

/**
 * What an operator accepted here or elsewhere, or null where the store is the known one, or the first. Rejects with
 * StoreChangedError where it is not, before anything is written.
 */
export async function admitStore(options: AdmitOptions): Promise<StoreChange | null> {
  const { kv, identity, known, clock } = options;
  if (known === null) return null;
  for (let tries = 1; ; tries++) {
    const [entry = null] = (await kv.read([META_KEY])).entries;
    const installation = metaOf(entry);
    const header = identity.header() ?? { clusterId: "", revision: 0 };
    const change = compareStore(known, { ...header, installation });
    if (change === null || change.kind === "accepted") return change;
    const epoch = epochAfter(known, installation);
    if (options.acceptAs !== epoch || tries === TRIES_MAX) throw new StoreChangedError(describeChange(change, epoch));
    const { blobStoreId } = known;
    if (await acceptAs(kv, entry, { epoch, blobStoreId, at: clock.now() })) return change;
  }
}
