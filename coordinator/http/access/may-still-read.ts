/** Whether the caller may still read a response that is being written. */
import { recheck } from "../../auth/authenticate.ts";
import { type Caller, mayUseTeam } from "../../auth/authorize.ts";
import type { RecordDeps } from "../deps/record-deps.ts";

/** A key may be revoked, and a user leave the team, while a stream is open. */
export function mayStillRead(
  { store, clock }: Pick<RecordDeps, "store" | "clock">,
  caller: Caller,
  teamId: string,
): boolean {
  const found = recheck(store.view, caller.id, clock.now());
  return found.kind === "key" && mayUseTeam(store.view, found.key, teamId);
}
