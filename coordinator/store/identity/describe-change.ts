/** What happened to the store and what to do, for its operator. */
import type { StoreChange } from "./compare-store.ts";

/** `acceptAs` is the epoch that accepting the store would give it. */
export function describeChange(change: StoreChange, acceptAs: number): string {
  if (change.kind === "accepted") {
    return `${WHAT}: a restored state was accepted at another coordinator, as store epoch ${change.epoch}. Restart this coordinator`;
  }
  return `${whatChanged(change)}. ${remedyOf(acceptAs)}`;
}

type UnacceptedChange = Exclude<StoreChange, { readonly kind: "accepted" }>;

export function whatChanged(change: UnacceptedChange): string {
  return `${WHAT}: ${happened(change)}`;
}

/** What loses least first. */
export function remedyOf(acceptAs: number): string {
  return (
    "Put back etcd's newest data and restart the coordinators; or, where there is a backup, stop all of them and put the newest " +
    "one into this etcd (elastic-coordinator restore; docs/operators.md, Restore); or, to continue with what etcd has now and " +
    `lose what was written since, restart one of them with --accept-store ${acceptAs} (ELASTIC_ACCEPT_STORE=${acceptAs}), then the others`
  );
}

const WHAT = "etcd does not hold the state that this coordinator knew";

function happened(change: UnacceptedChange): string {
  switch (change.kind) {
    case "stepped back":
      return `its revision went back from ${change.from} to ${change.to}, so an older copy was put back or it was emptied`;
    case "other cluster":
      return `it is the cluster ${change.to}, and was ${change.from}`;
    case "other content":
      return "it was emptied or replaced, and filled again";
  }
}
