/** The audit log of a team, newest first, page by page. */
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { type AuditFilter, auditQueryOf } from "./audit-filter.ts";

const PAGE_SIZE = 50;
/** For what live updates do not report. All pages that were read are read again, so the more there are the less often. */
const REFRESH_PAGE_MS = 30_000;

export const auditQuery = (id: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ["audit", id, auditQueryOf(filter)],
    queryFn: ({ pageParam: cursor }) => {
      const query = { ...auditQueryOf(filter), size: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
      return dataOf(api.GET("/v1/teams/{id}/audit", { params: { path: { id }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => REFRESH_PAGE_MS * Math.max(1, state.data?.pages.length ?? 1),
    placeholderData: keepPreviousData,
  });
