/** The team's services. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export type Service = components["schemas"]["Service"];

export const servicesQuery = queryOptions({
  queryKey: ["services"],
  queryFn: () => allPages((query) => dataOf(api.GET("/v1/services", { params: { query } }))),
});

export const serviceQuery = (id: string) =>
  queryOptions({
    queryKey: ["services", id],
    queryFn: () => dataOf(api.GET("/v1/services/{id}", { params: { path: { id } } })),
  });
