/** One page out of two lists, of which a task may be in both. Pure. */

export interface ListPart {
  /** Newest first, without a gap. */
  readonly ids: readonly string[];
  /** How many stand before the first of these, all of them newer. */
  readonly skipped: number;
}

/**
 * The ids after the first `offset` of both lists together, newest first. `live` begins at its beginning; of what was
 * skipped in `archived`, `skippedInBoth` are in `live` too.
 */
export function mergePage(
  live: readonly string[],
  archived: ListPart,
  skippedInBoth: number,
  page: { readonly offset: number; readonly limit: number },
): string[] {
  const merged = [...new Set([...live, ...archived.ids])].sort().reverse();
  const from = page.offset - (archived.skipped - skippedInBoth);
  return merged.slice(from, from + page.limit);
}
