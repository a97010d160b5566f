/** The members of a team. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { allPages, type PageOf } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export type Member = components["schemas"]["Member"];

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ["members", id],
    queryFn: async () => {
      const read = (query: PageOf) => dataOf(api.GET("/v1/teams/{id}/members", { params: { path: { id }, query } }));
      return (await allPages(read)).items;
    },
  });
