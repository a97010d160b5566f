/**
 * A log as objects of a bucket, described by their names alone: `<from>-<to>` holds these bytes of it, and an empty
 * `complete-<bytes>` says that it ends there. No object is ever changed, and two that overlap hold the same bytes where
 * they do, so coordinators that are sent the same pieces, or merge them side by side, harm nothing.
 */
import type { LogState } from "../task-logs.ts";

export interface Segment {
  readonly from: number;
  /** The offset after its last byte. */
  readonly to: number;
}

export interface LogLayout extends LogState {
  readonly all: readonly Segment[];
  /** Of these, such that hold every byte from the first on without a gap, in order. */
  readonly cover: readonly Segment[];
}

const SEGMENT_PATTERN = /^(\d{1,12})-(\d{1,12})$/;
const END_PATTERN = /^complete-(\d{1,12})$/;

export function segmentName({ from, to }: Segment): string {
  return `${from}-${to}`;
}

export function endName(bytes: number): string {
  return `complete-${bytes}`;
}

/** Names of anything else are passed over. */
export function layoutOf(names: readonly string[]): LogLayout {
  const ends = names.flatMap((name) => END_PATTERN.exec(name)?.[1] ?? []).map(Number);
  const all = names.flatMap((name) => {
    const [, from, to] = SEGMENT_PATTERN.exec(name) ?? [];
    return from === undefined ? [] : [{ from: Number(from), to: Number(to) }];
  });
  return layout(all, ends.length === 0 ? null : Math.max(...ends));
}

export function withSegment({ all, bytes, complete }: LogLayout, added: Segment): LogLayout {
  return layout([...all, added], complete ? bytes : null);
}

function layout(all: readonly Segment[], end: number | null): LogLayout {
  const cover = coverOf(all);
  const bytes = cover.at(-1)?.to ?? 0;
  return { all, cover, bytes: end === null ? bytes : Math.min(bytes, end), complete: end !== null };
}

/** At each place the segment that reaches farthest. */
function coverOf(all: readonly Segment[]): Segment[] {
  const cover: Segment[] = [];
  let at = 0;
  let farthest: Segment = { from: 0, to: 0 };
  for (const segment of [...all].sort((left, right) => left.from - right.from)) {
    if (segment.from > at) {
      if (farthest.to <= at) break;
      cover.push(farthest);
      at = farthest.to;
      if (segment.from > at) break;
    }
    if (segment.to > farthest.to) farthest = segment;
  }
  if (farthest.to > at) cover.push(farthest);
  return cover;
}

/** Neighbours of the cover that are small, together as large as one object should be. */
export function mergeable(cover: readonly Segment[], limits: MergeLimits): readonly (readonly Segment[])[] {
  const runs: Segment[][] = [];
  let run: Segment[] = [];
  for (const segment of cover) {
    const isSmall = segment.to - segment.from < limits.smallBytes;
    if (!isSmall || segment.to - (run[0]?.from ?? segment.from) > limits.mergedBytesMax) run = [];
    if (!isSmall) continue;
    if (run.length === 0) runs.push(run);
    run.push(segment);
  }
  return runs.filter(({ length }) => length > 1);
}

export interface MergeLimits {
  /** What is smaller is merged. */
  readonly smallBytes: number;
  readonly mergedBytesMax: number;
}
