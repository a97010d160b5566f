/** Lists, page by page to their end. */
import type { Caller } from "./caller.ts";
import { call } from "./client.ts";

/** More than anybody has: a bound for a server that never ends its list. */
const PAGES_MAX = 100;
const PAGE_SIZE = 100;

interface Page<T> {
  readonly items: readonly T[];
  readonly pages: number;
}

/** Every item of the list at `path`. */
export async function listAll<T>(caller: Caller, path: string): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const response = await call(caller, {
      method: "GET",
      path: `${path}${path.includes("?") ? "&" : "?"}page=${page}&size=${PAGE_SIZE}`,
    });
    const { items, pages } = response as Page<T>;
    all.push(...items);
    if (page >= Math.min(pages, PAGES_MAX)) return all;
  }
}
