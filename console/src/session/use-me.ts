/** Who is logged in, and in which teams. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => dataOf(api.GET("/v1/me")),
  staleTime: 60_000,
});
