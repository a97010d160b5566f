/**
 * All keys of the service as of one revision, page by page. etcd counts for each page what is left of the range that is requested,
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

/** In their order. Rejects with CompactedError where etcd has forgotten that revision. */
export async function* readPages(
  kv: Pick<Kv, "range">,
  at: number,
  pageEntries = PAGE_ENTRIES,
): AsyncGenerator<readonly Entry[]> {
  let afterKey = ROOT;
  let length = ROOT.length;
  for (;;) {
    const prefix = afterKey.slice(0, length);
    const { entries, more } = await kv.range(prefix, { limit: pageEntries, at, afterKey });
    if (entries.length > 0) yield entries;
    const last = entries.at(-1)?.key;
    if (more && last !== undefined) {
      afterKey = last;
      // A character of several bytes has no place to cut at.
      length = ASCII.test(last) ? Math.min(length + NARROWER_BY, last.length) : ROOT.length;
    } else if (length <= ROOT.length) {
      return;
    } else {
      afterKey = prefix + LAST;
      length -= WIDER_BY;
    }
  }
}
