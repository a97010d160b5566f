/** How much a team may have of each thing, and how much it has. */

import { type QuotaRecord, quotaRecord } from "../../public/quota-record.ts";
import type { HttpDeps } from "../http-deps.ts";
import { countHeld, TEAM_QUOTAS } from "./count-held.ts";

export function quotasOfTeam(
  { store, quotas, clock }: Pick<HttpDeps, "store" | "quotas" | "clock">,
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
