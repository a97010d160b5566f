/** The members of a team, its open invitations, and its quotas. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-cli/api/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export type Member = components["schemas"]["Member"];
export type Invitation = components["schemas"]["Invitation"];

/** Two pages have all that a team may have. */
const PAGE_SIZE = 100;
/** Nothing says when what is counted has changed. */
const REFRESH_MS = 30_000;

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ["members", id],
    queryFn: async () => {
      const page = (number: number) =>
        dataOf(
          api.GET("/v1/teams/{id}/members", { params: { path: { id }, query: { page: number, size: PAGE_SIZE } } }),
        );
      const first = await page(1);
      return first.pages > 1 ? [...first.items, ...(await page(2)).items] : first.items;
    },
  });

export const invitationsQuery = (id: string) =>
  queryOptions({
    queryKey: ["invitations", id],
    queryFn: () =>
      dataOf(api.GET("/v1/teams/{id}/invitations", { params: { path: { id }, query: { size: PAGE_SIZE } } })),
  });

export const quotasQuery = (id: string) =>
  queryOptions({
    queryKey: ["quotas", id],
    queryFn: () => dataOf(api.GET("/v1/teams/{id}/quotas", { params: { path: { id } } })),
    refetchInterval: REFRESH_MS,
  });
