/** The first try that this tab began and that came back from a source host, once. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { activeTeam } from "../session/active-team.ts";
import type { LinkSearch } from "../sources/link-search.ts";
import { forgetPending, readPending } from "./pending-try.ts";
import { type ResumedTry, resumedTry } from "./resumed-try.ts";

/** `onResumed` is called when the page is opened by the way back. */
export function useResumedTry(search: LinkSearch, onResumed: () => void): ResumedTry | null {
  const navigate = useNavigate();
  const [resumed] = useState(() => resumedTry(search, readPending(activeTeam() ?? "", Date.now(), sessionStorage)));
  const begin = useEffectEvent(() => {
    onResumed();
    // Loaded again, or left and come back to, the page begins nothing.
    void navigate({ to: "/services", replace: true });
  });
  useEffect(() => {
    if (resumed === null) return;
    forgetPending(sessionStorage);
    begin();
  }, [resumed]);
  return resumed;
}
