/** The user's access keys. */
import { queryOptions } from "@tanstack/react-query";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: () => allPages((query) => dataOf(api.GET("/v1/keys", { params: { query } }))),
});
