/** The pools of machines, and what the fleet lacks. For operators. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export type Pool = components["schemas"]["Pool"];
export type FleetDemand = components["schemas"]["FleetDemand"];

const REFRESH_MS = 5_000;

export const poolsQuery = queryOptions({
  queryKey: ["pools"],
  queryFn: () => allPages((query) => dataOf(api.GET("/v1/pools", { params: { query } }))),
  refetchInterval: REFRESH_MS,
});

export const demandQuery = queryOptions({
  queryKey: ["demand"],
  queryFn: () => dataOf(api.GET("/v1/fleet/demand")),
  refetchInterval: REFRESH_MS,
});
