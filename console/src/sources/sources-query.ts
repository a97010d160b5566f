/** Source hosts, the team's connections to them, their repositories, and what a service is built from. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { ApiError, dataOf } from "../api/problem.ts";

export type SourceHost = components["schemas"]["SourceHost"];
export type SourceConnection = components["schemas"]["SourceConnection"];
export type SourceRepository = components["schemas"]["SourceRepository"];
export type ServiceSource = components["schemas"]["ServiceSource"];

/** Each reading of repositories is one at the source host, too. */
const REPOSITORIES_FRESH_MS = 60_000;

/** The operator's settings: they change with a restart. */
export const hostsQuery = queryOptions({
  queryKey: ["source-hosts"],
  queryFn: () => dataOf(api.GET("/v1/source-hosts")),
  staleTime: Number.POSITIVE_INFINITY,
});

export const connectionsQuery = queryOptions({
  queryKey: ["connections"],
  queryFn: () => allPages((query) => dataOf(api.GET("/v1/source-connections", { params: { query } }))),
});

export const repositoriesQuery = (id: string) =>
  queryOptions({
    queryKey: ["connections", id, "repositories"],
    queryFn: () =>
      allPages((query) =>
        dataOf(api.GET("/v1/source-connections/{id}/repositories", { params: { path: { id }, query } })),
      ),
    staleTime: REPOSITORIES_FRESH_MS,
    refetchInterval: false,
  });

/** Null where the service is built from no repository. */
export const sourceQuery = (serviceId: string) =>
  queryOptions({
    queryKey: ["services", serviceId, "source"],
    queryFn: () =>
      dataOf<ServiceSource>(api.GET("/v1/services/{id}/source", { params: { path: { id: serviceId } } })).catch(
        nullIfAbsent,
      ),
  });

function nullIfAbsent(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}
