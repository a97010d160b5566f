/** The open invitations of a team, and its quotas. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export type Invitation = components["schemas"]["Invitation"];

/** Nothing says when what is counted has changed. */
const REFRESH_MS = 30_000;

export const invitationsQuery = (id: string) =>
  queryOptions({
    queryKey: ["invitations", id],
    queryFn: () =>
      allPages((query) => dataOf(api.GET("/v1/teams/{id}/invitations", { params: { path: { id }, query } }))),
  });

export const quotasQuery = (id: string) =>
  queryOptions({
    queryKey: ["quotas", id],
    queryFn: () => dataOf(api.GET("/v1/teams/{id}/quotas", { params: { path: { id } } })),
    refetchInterval: REFRESH_MS,
  });
