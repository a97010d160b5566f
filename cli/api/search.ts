import type { Caller } from "./caller.ts";
import { call } from "./client.ts";
import type { FoundPage } from "./records.ts";

/** Ids of tasks of the active team that begin so, the newest first, at most a handful. */
export async function searchTasks(caller: Caller, prefix: string): Promise<readonly string[]> {
  const path = `/v1/search?q=${encodeURIComponent(prefix)}`;
  const { items } = (await call(caller, { method: "GET", path })) as FoundPage;
  return items.flatMap(({ kind, id }) => (kind === "task" ? [id] : []));
}
