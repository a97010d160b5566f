/** With which providers users log in here. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export const providersQuery = queryOptions({
  queryKey: ["login-providers"],
  queryFn: () => dataOf(api.GET("/v1/login/providers")),
  staleTime: 60_000,
});
