/** The team's services. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export const servicesQuery = queryOptions({
  queryKey: ["services"],
  queryFn: () => dataOf(api.GET("/v1/services", { params: { query: { size: 100 } } })),
});

export const serviceQuery = (id: string) =>
  queryOptions({
    queryKey: ["services", id],
    queryFn: () => dataOf(api.GET("/v1/services/{id}", { params: { path: { id } } })),
  });
