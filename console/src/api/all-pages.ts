/** A list that is read to its end, page by page. */

/** The most that the service gives at a time. */
export const PAGE_SIZE = 100;
const PAGES_MAX = 20;

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly pages: number;
}

export interface PageOf {
  readonly page: number;
  readonly size: number;
}

/** At most 2,000 items; `total` says how many there are. */
export async function allPages<T>(
  read: (query: PageOf) => Promise<Page<T>>,
): Promise<{ readonly items: readonly T[]; readonly total: number }> {
  const items: T[] = [];
  for (let page = 1; ; page++) {
    const one = await read({ page, size: PAGE_SIZE });
    items.push(...one.items);
    if (page >= Math.min(one.pages, PAGES_MAX)) return { items, total: one.total };
  }
}
