/** Whether a coordinator would start on this store: compared as at a start, with what this machine knew of it. */
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import { compareStore, epochAfter, type FoundStore, type KnownStore } from "../store/identity/compare-store.ts";
import { remedyOf, whatChanged } from "../store/identity/describe-change.ts";

export interface IdentityFacts {
  /** Where it is known from. */
  readonly file: string;
  /** Null where no coordinator has run on this machine. */
  readonly known: KnownStore | null;
  readonly found: FoundStore;
  /** The epoch as which the settings accept another state; null for none. */
  readonly acceptAs: number | null;
}

export function checkIdentity({ file, known, found, acceptAs }: IdentityFacts): Check {
  if (known === null) return ok("identity", `${file} does not exist yet: the first start accepts whatever etcd holds`);
  const change = compareStore(known, found);
  if (change === null) return ok("identity", `etcd holds the state that ${file} knows`);
  if (change.kind === "accepted") return ok("identity", `another state was accepted, as store epoch ${change.epoch}`);
  const epoch = epochAfter(known, found.installation);
  if (acceptAs !== epoch) return fail("identity", whatChanged(change), remedyOf(epoch));
  return warn("identity", whatChanged(change), `the next start accepts it, since ELASTIC_ACCEPT_STORE is ${epoch}`);
}
