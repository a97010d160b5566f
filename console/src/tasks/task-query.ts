/** A task, read again until it has ended. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

const WAIT_SECONDS = 20;

/** Each read waits for the task's end at the service, so that nothing is polled. */
export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ["tasks", id],
    queryFn: () => dataOf(api.GET("/v1/tasks/{id}", { params: { path: { id }, query: { wait: WAIT_SECONDS } } })),
    refetchInterval: ({ state }) => (state.data?.state === "PENDING" ? 1 : false),
  });
