/** How services fared over the last hours. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { beginOf, type Range } from "./range.ts";

export type ServiceMetrics = components["schemas"]["ServiceMetrics"];
export type ServiceFigures = components["schemas"]["TeamMetrics"]["services"][number];

/** Points are of a minute and longer. */
const REFRESH_MS = 15_000;

/** By service, over the last 24 hours. */
export const teamMetricsQuery = queryOptions({
  queryKey: ["metrics"],
  queryFn: async () => {
    const { services } = await dataOf(api.GET("/v1/metrics"));
    return new Map(services.map((figures) => [figures.service_id, figures]));
  },
});

export const serviceMetricsQuery = (id: string, range: Range) =>
  queryOptions({
    queryKey: ["metrics", id, range],
    queryFn: () => {
      const query = { from: beginOf(range, Date.now()) };
      return dataOf(api.GET("/v1/services/{id}/metrics", { params: { path: { id }, query } }));
    },
    refetchInterval: REFRESH_MS,
  });
