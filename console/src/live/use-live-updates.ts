/** Keeps what the pages show up to date while they are open: what changed at the service is read again. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { meQuery } from "../session/use-me.ts";
import { isAffected } from "./affected.ts";
import { RefreshPace } from "./refresh-pace.ts";
import { requestsFor } from "./requests-for.ts";
import type { LiveEvent } from "./server-events.ts";
import { readSharedEvents } from "./shared-events.ts";

/** Returns null while updates come; otherwise until when they came, in milliseconds since the epoch. */
export function useLiveUpdates(teamId: string | null): number | null {
  const queries = useQueryClient();
  const [lostSince, setLostSince] = useState<number | null>(null);
  const isLost = lostSince !== null;

  useEffect(() => {
    if (teamId === null) return;
    const pace = new RefreshPace();
    const stopping = new AbortController();
    let wasLost = false;
    const onEvent = ({ data }: LiveEvent) => {
      // What was read in vain while the connection was lost is read again too.
      if (data.type === "reset" || wasLost) void queries.invalidateQueries();
      wasLost = false;
      if (data.type === "reset") return;
      for (const { queryKey, queryHash, state } of queries.getQueryCache().getAll()) {
        if (!data.changes.some((change) => isAffected(queryKey, change))) continue;
        const refresh = () => void queries.invalidateQueries({ queryKey, exact: true });
        pace.request(queryHash, requestsFor(state.data), refresh);
      }
    };
    const onState = (since: number | null) => {
      wasLost ||= since !== null;
      setLostSince(since);
    };
    readSharedEvents({ teamId, onEvent, onState }, stopping.signal);
    return () => {
      stopping.abort();
      pace.stop();
    };
  }, [teamId, queries]);

  // The stream of a session that has ended is cut, and does not say why; a refusal here leads to the login page.
  useEffect(() => {
    if (!isLost) return;
    queries.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).catch(() => undefined);
  }, [isLost, queries]);

  return lostSince;
}
