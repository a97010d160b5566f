/**
 * Whether a coordinator may lead with the records that it cannot read. What a later version wrote another coordinator reads, which
 * may lead instead. What is malformed nobody reads: whoever leads leaves alone what it is about, unless that hides what is free.
 */
import { HOLDING_KINDS, SCHEDULED_KINDS } from "../store/keys.ts";
import type { View } from "../store/store.ts";

export function seesEnoughToLead(view: Pick<View, "unreadable" | "malformed">): boolean {
  return view.unreadable(SCHEDULED_KINDS) === view.malformed(SCHEDULED_KINDS) && view.malformed(HOLDING_KINDS) === 0;
}
