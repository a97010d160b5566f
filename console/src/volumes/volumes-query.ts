/** The team's data volumes, and one of them with its files. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export type Volume = components["schemas"]["Volume"];

export const volumesQuery = queryOptions({
  queryKey: ["volumes"],
  queryFn: () => allPages((query) => dataOf(api.GET("/v1/volumes", { params: { query } }))),
});

export const volumeQuery = (id: string) =>
  queryOptions({
    queryKey: ["volumes", id],
    queryFn: () => dataOf(api.GET("/v1/volumes/{id}", { params: { path: { id } } })),
  });
