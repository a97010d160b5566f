/** A task as it is now. use-task.ts reads it again when something happens to it. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

/** In case its events cannot be followed. */
const REFRESH_MS = 15_000;

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ["tasks", id],
    queryFn: () => dataOf(api.GET("/v1/tasks/{id}", { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.state === "PENDING" ? REFRESH_MS : false),
  });
