/** The team's shells, what a new one may have, and a password when the user shows it. */
import { queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export type Shell = components["schemas"]["Shell"];

/** Of what is free, which no event of the team reports. */
const REFRESH_MS = 5_000;

export const shellsQuery = queryOptions({
  queryKey: ["shells"],
  queryFn: () => allPages((query) => dataOf(api.GET("/v1/shells", { params: { query } }))),
});

/** Without its password: this is read whenever the shell changes, and each reading of a password is audited. */
export const shellQuery = (id: string) =>
  queryOptions({
    queryKey: ["shells", id],
    queryFn: () => dataOf(api.GET("/v1/shells/{id}", { params: { path: { id }, query: { with_password: "false" } } })),
  });

/** Never cached: the page forgets it when it is hidden. */
export async function readPassword(id: string): Promise<string | null> {
  const shell = await dataOf(api.GET("/v1/shells/{id}", { params: { path: { id } } }));
  return shell.password;
}

export const shellOfferQuery = queryOptions({
  queryKey: ["shell-offer"],
  queryFn: () => dataOf(api.GET("/v1/shell-offer")),
});

export const gpuTypesQuery = queryOptions({
  queryKey: ["gpu-types"],
  queryFn: () => dataOf(api.GET("/v1/gpu-types")),
  refetchInterval: REFRESH_MS,
});
