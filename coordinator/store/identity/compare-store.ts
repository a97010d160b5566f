/** Whether the store is the one that is known, by its header and by what its first coordinator wrote into it. Pure. */

import { judgeResponse, type StoreHeader } from "./judge-response.ts";
import type { StoreMeta } from "./meta.ts";

export type Installation = Pick<StoreMeta, "epoch" | "blobStoreId">;

export interface KnownStore extends StoreHeader, Installation {}

/** By a read that began after everything that is known was. */
export interface FoundStore extends StoreHeader {
  /** Null where no coordinator has written into it. */
  readonly installation: Installation | null;
}

export type StoreChange =
  | { readonly kind: "stepped back"; readonly from: number; readonly to: number }
  | { readonly kind: "other cluster"; readonly from: string; readonly to: string }
  /** It was filled again up to the known revision, or further. */
  | { readonly kind: "other content" }
  /** An operator accepted it at another coordinator, which explains whatever else is different. */
  | { readonly kind: "accepted"; readonly epoch: number };

export function compareStore(known: KnownStore, found: FoundStore): StoreChange | null {
  const { installation } = found;
  const epoch = installation?.blobStoreId === known.blobStoreId ? installation.epoch : null;
  if (epoch !== null && epoch > known.epoch) return { kind: "accepted", epoch };
  const change = compareHeader(known, { ...found, since: known.revision });
  if (change !== null) return change;
  return epoch === known.epoch ? null : { kind: "other content" };
}

/** The same where only the header is known. */
export function compareHeader(
  known: StoreHeader | null,
  found: StoreHeader & { readonly since: number },
): StoreChange | null {
  switch (judgeResponse(known, { ...found, isDecisive: true })) {
    case "other cluster":
      return { kind: "other cluster", from: known?.clusterId ?? "", to: found.clusterId };
    case "stepped back":
      return { kind: "stepped back", from: found.since, to: found.revision };
    default:
      return null;
  }
}

/** The epoch that an operator who accepts the store gives it. */
export function epochAfter(known: Installation | null, found: Installation | null): number {
  return Math.max(known?.epoch ?? 0, found?.epoch ?? 0) + 1;
}
