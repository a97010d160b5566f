/** Makes few objects of the many small ones in which a log comes. */
import type { Bucket } from "../../blobs/s3/bucket.ts";
import { type LogLayout, mergeable, type Segment, segmentName } from "./log-layout.ts";

/** A log in as many objects is merged while it grows. */
export const SEGMENTS_MAX = 64;
const LIMITS = { smallBytes: 256 * 1024, mergedBytesMax: 1024 * 1024 };

export async function mergeSegments(bucket: Bucket, prefix: string, { cover, all }: LogLayout): Promise<void> {
  for (const run of mergeable(cover, LIMITS)) {
    const [first] = run;
    const last = run.at(-1);
    if (first === undefined || last === undefined) continue;
    const merged = { from: first.from, to: last.to };
    const bytes = await bytesOf(bucket, prefix, run);
    // Another coordinator merges them.
    if (bytes === null) return;
    await bucket.put(prefix + segmentName(merged), bytes);
    const within = all.filter(({ from, to }) => from >= merged.from && to <= merged.to);
    const names = new Set(within.map(segmentName));
    names.delete(segmentName(merged));
    await Promise.all([...names].map((name) => bucket.remove(prefix + name)));
  }
}

/** Null when one of them is gone. */
async function bytesOf(bucket: Bucket, prefix: string, run: readonly Segment[]): Promise<Buffer | null> {
  const bodies = await Promise.all(
    run.map(async (segment, index) => {
      // Of two that overlap the later one has the rest.
      const from = Math.max(segment.from, run[index - 1]?.to ?? 0);
      const body = await bucket.readRange(prefix + segmentName(segment), from - segment.from, segment.to - from);
      return body?.length === segment.to - from ? body : null;
    }),
  );
  return bodies.includes(null) ? null : Buffer.concat(bodies.filter((body) => body !== null));
}
