/**
 * All keys of the service, or of a part of it, as of one revision, page by page. etcd counts for each page what is left of the range that is requested,
 * so that pages of one large range take time by the square of its keys. Here the range is narrowed to keys that begin as
 * the last one does, as long as there are more of them than a page holds, and widened where there are fewer.
 */
import { ROOT } from "./keys.ts";
import type { Entry, Kv } from "./kv.ts";

const PAGE_ENTRIES = 1_000;
/** Characters of a key. Narrowing is quick, since each page of a wide range is slow. */
const NARROWER_BY = 4;
const WIDER_BY = 1;
/** After every key that begins so. */
const LAST = "\u{10ffff}";
const ASCII = /^[ -~]*$/;

export interface PageOptions {
  readonly pageEntries?: number;
  /** Begins all keys that are read; default those of the service. */
  readonly root?: string;
}

/** In their order, the next one on its way while one is used. Rejects with CompactedError where etcd has forgotten that revision. */
export async function* readPages(
  kv: Pick<Kv, "range">,
  at: number,
  { pageEntries: limit = PAGE_ENTRIES, root = ROOT }: PageOptions = {},
): AsyncGenerator<readonly Entry[]> {
  let afterKey = root;
  let length = root.length;
  for (let next: ReturnType<Kv["range"]> | null = kv.range(root, { limit, at, afterKey }); next !== null; ) {
    const { entries, more } = await next;
    const last = entries.at(-1)?.key;
    if (more && last !== undefined) {
      afterKey = last;
      // A character of several bytes has no place to cut at.
      length = ASCII.test(last) ? Math.min(length + NARROWER_BY, last.length) : root.length;
    } else if (length <= root.length) {
      length = 0;
    } else {
      afterKey = afterKey.slice(0, length) + LAST;
      length -= WIDER_BY;
    }
    next = length === 0 ? null : kv.range(afterKey.slice(0, length), { limit, at, afterKey });
    // It is awaited in the next step, if there is one.
    next?.catch(() => undefined);
    if (entries.length > 0) yield entries;
  }
}
