/** Builds of a service, the newest first, and one of them. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export type Build = components["schemas"]["Build"];

export const buildsQuery = (serviceId: string) =>
  queryOptions({
    queryKey: ["services", serviceId, "builds"],
    queryFn: () =>
      allPages((query) => dataOf(api.GET("/v1/services/{id}/builds", { params: { path: { id: serviceId }, query } }))),
  });

/** So many as a page shows without a list. */
const NEWEST = 20;

export const newestBuildsQuery = (serviceId: string) =>
  queryOptions({
    queryKey: ["services", serviceId, "builds", "newest"],
    queryFn: async () => {
      const params = { path: { id: serviceId }, query: { size: NEWEST } };
      return (await dataOf(api.GET("/v1/services/{id}/builds", { params }))).items;
    },
  });

export const buildQuery = (id: string) =>
  queryOptions({
    queryKey: ["builds", id],
    queryFn: () => dataOf(api.GET("/v1/builds/{id}", { params: { path: { id } } })),
  });

export function isOpenBuild({ phase }: Pick<Build, "phase">): boolean {
  return phase === "queued" || phase === "running";
}
