/** Lists, item by item, each page fetched once the one before is used up. */
import { call } from "../http/call.ts";
import type { Connection } from "../http/connection.ts";

const PAGE_SIZE = 100;

export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
  /** Items of a page, from 1 to 100: whoever reads only the first few fetches no more. */
  readonly pageSize?: number | undefined;
}

interface Page {
  readonly items: readonly unknown[];
  readonly pages: number;
  /** Of lists that may be long, and change while they are read. */
  readonly next_cursor?: string | null;
}

/** `query` are the filters of the list; what is undefined is left out. */
export async function* listItems<T>(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
  { signal, pageSize = PAGE_SIZE }: ListOptions = {},
): AsyncGenerator<T> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  let place: Readonly<Record<string, string>> = {};
  for (let number = 1; ; number += 1) {
    const search = new URLSearchParams([...given, ["size", String(pageSize)], ...Object.entries(place)]);
    const page = (await call(connection, { method: "GET", path: `${path}?${search}`, signal })) as Page;
    yield* page.items as readonly T[];
    if (page.next_cursor === null || (page.next_cursor === undefined && number >= page.pages)) return;
    place = page.next_cursor === undefined ? { page: String(number + 1) } : { cursor: page.next_cursor };
  }
}
