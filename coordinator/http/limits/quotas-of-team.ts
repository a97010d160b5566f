/** How much a team may have of each thing, and how much it has. */
import { type QuotaRecord, quotaRecord } from "../../public/quota-record.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { countHeld, TEAM_QUOTAS } from "./count-held.ts";
import type { QuotaDeps } from "./quota-book.ts";

export function quotasOfTeam(
  { store, quotas, clock }: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  teamId: string,
): QuotaRecord[] {
  const now = clock.now();
  return TEAM_QUOTAS.map((quota) =>
    quotaRecord(quota, {
      scope: "team",
      used: countHeld(store.view, quota, teamId, now),
      max: quotas.maxOf(quota),
    }),
  );
}
