/** A list of tasks, newest first, page by page. */
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { queryOf, type TaskFilter } from "./task-filter.ts";

const PAGE_SIZE = 50;

export const tasksQuery = (filter: TaskFilter) =>
  infiniteQueryOptions({
    queryKey: ["tasks", "list", queryOf(filter)],
    queryFn: ({ pageParam: cursor }) => {
      const query = { ...queryOf(filter), size: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
      return dataOf(api.GET("/v1/tasks", { params: { query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  });

/** How many tasks a filter has. */
export async function countTasks(filter: TaskFilter): Promise<number> {
  const { total } = await dataOf(api.GET("/v1/tasks", { params: { query: { ...queryOf(filter), size: 1 } } }));
  return total;
}
