/** How many requests it takes to read again what was read. Pure. */
import { PAGE_SIZE } from "../api/all-pages.ts";

/** `data` is of any query: pages that are read as somebody scrolls, a list that is read to its end, or one thing. */
export function requestsFor(data: unknown): number {
  if (typeof data !== "object" || data === null) return 1;
  if ("pages" in data && Array.isArray(data.pages)) return Math.max(1, data.pages.length);
  if ("items" in data && Array.isArray(data.items)) return Math.max(1, Math.ceil(data.items.length / PAGE_SIZE));
  return 1;
}
