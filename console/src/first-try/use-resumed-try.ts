/** The first try that this tab began and that came back from a source host, as long as it is not done. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { activeTeam } from "../active-team/active-team.ts";
import type { LinkSearch } from "../sources/link-search.ts";
import { forgetPending, type PendingTry, readPending, storePending } from "./pending-try.ts";
import { type ResumedTry, resumedTry } from "./resumed-try.ts";

/** `onResumed` is called when the page is opened by the way back. */
export function useResumedTry(search: LinkSearch, onResumed: () => void): ResumedTry | null {
  const navigate = useNavigate();
  const [{ pending, resumed }] = useState(() => {
    const found = readPending(activeTeam() ?? "", Date.now(), sessionStorage);
    return { pending: found, resumed: resumedTry(search, found) };
  });
  const begin = useEffectEvent(() => {
    onResumed();
    // Loaded again, or left and come back to, the page begins nothing.
    void navigate({ to: "/services", replace: true });
  });
  useEffect(() => {
    if (resumed === null) return;
    keepReturned(pending, resumed);
    begin();
  }, [pending, resumed]);
  return resumed;
}

/** What was not connected is over; what was connected stays until it is done. */
function keepReturned(pending: PendingTry | null, { connectionId }: ResumedTry): void {
  if (pending === null || connectionId === null) forgetPending(sessionStorage);
  else storePending({ ...pending, connectionId }, sessionStorage);
}
