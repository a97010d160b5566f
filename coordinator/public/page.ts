/** Lists: pages of `{items, total, page, size, pages}`. */
import { z } from "zod";

export const PAGE_SIZE_MAX = 100;
const PAGE_SIZE_DEFAULT = 50;
/** Deeper than this a reader follows `next_cursor`. */
const PAGE_MAX = 100_000;

export const pageQuerySchema = z.object({
  page: z.coerce.number().int().min(1).max(PAGE_MAX).default(1),
  size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
});

export type PageQuery = z.output<typeof pageQuerySchema>;

export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    total: z.int(),
    page: z.int(),
    size: z.int(),
    pages: z.int(),
  });
}

export interface Page<T> {
  readonly items: T[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
  readonly pages: number;
}

export function offsetOf({ page, size }: PageQuery): number {
  return (page - 1) * size;
}

export function pageOf<T>(items: T[], total: number, { page, size }: PageQuery): Page<T> {
  return { items, total, page, size, pages: Math.ceil(total / size) };
}

/** A page of a list that is completely in memory. */
export function cutPage<T, R>(all: readonly T[], query: PageQuery, encode: (item: T) => R): Page<R> {
  const offset = offsetOf(query);
  return pageOf(all.slice(offset, offset + query.size).map(encode), all.length, query);
}
