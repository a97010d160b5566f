/** What those who run the service read: machines, the fleet's state, all users and teams. No team's live updates cover it. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import type { MachineFilter } from "./machine-filter.ts";
import type { NameFilter } from "./name-filter.ts";

export type Machine = components["schemas"]["Node"];
export type MachineDetails = components["schemas"]["NodeDetails"];
export type Fleet = components["schemas"]["Fleet"];
export type OperatedUser = components["schemas"]["OperatedUser"];
export type OperatedTeam = components["schemas"]["OperatedTeam"];

const REFRESH_MS = 5_000;
const LIVE = { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData } as const;

export const machinesQuery = (filter: MachineFilter) =>
  queryOptions({
    queryKey: ["nodes", filter],
    queryFn: () => dataOf(api.GET("/v1/nodes", { params: { query: { ...filter } } })),
    ...LIVE,
  });

export const machineQuery = (id: string) =>
  queryOptions({
    queryKey: ["nodes", id],
    queryFn: () => dataOf(api.GET("/v1/nodes/{id}", { params: { path: { id } } })),
    refetchInterval: REFRESH_MS,
  });

export const fleetQuery = queryOptions({
  queryKey: ["fleet"],
  queryFn: () => dataOf(api.GET("/v1/fleet")),
  refetchInterval: REFRESH_MS,
});

export const usersQuery = (filter: NameFilter) =>
  queryOptions({
    queryKey: ["operators", "users", filter],
    queryFn: () => dataOf(api.GET("/v1/operators/users", { params: { query: { ...filter } } })),
    ...LIVE,
  });

export const teamsQuery = (filter: NameFilter) =>
  queryOptions({
    queryKey: ["operators", "teams", filter],
    queryFn: () => dataOf(api.GET("/v1/operators/teams", { params: { query: { ...filter } } })),
    ...LIVE,
  });
