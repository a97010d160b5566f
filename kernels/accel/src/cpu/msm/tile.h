// Sums of the buckets of a window, a tile of its entries at a time: the points are copied together, and each round halves
// what every bucket has left. No pair of a round shares a point with another, whatever the digits are.
#pragma once
#include <algorithm>

#include "cpu/msm/pairs.h"
#include "ec/curve.h"

namespace zka::ZKA_ISA {

// Leaves the sum of each segment at its start; lengths become one. `identities`: there may be some among the points.
template <class F>
void sum_segments(Affine<F>* points, Segment* segments, size_t count, bool identities, const Scratch& scratch) {
  for (;;) {
    size_t pairs = 0;
    for (size_t s = 0; s < count; ++s) {
      Segment& segment = segments[s];
      const uint32_t half = (segment.length + 1) / 2;
      for (uint32_t i = 0; i < segment.length / 2; ++i) {
        scratch.pairs[pairs++] = {segment.start + i, segment.start + half + i};
      }
      segment.length = half;
    }
    if (pairs == 0) return;
    // Two that have not the same x make no identity.
    if (!identities && add_distinct_pairs(points, scratch.pairs, pairs, scratch.products)) continue;
    add_pairs(points, scratch.pairs, pairs, scratch.products);
    identities = true;
  }
}

template <class C>
void sum_tile(const Terms& terms, Window& window, uint32_t tile, const Scratch& scratch) {
  using Point = typename C::Point;
  const Point* const bases = reinterpret_cast<const Point*>(terms.points);
  Point* const points = reinterpret_cast<Point*>(scratch.points);
  const uint32_t begin = tile * TILE, end = std::min(begin + TILE, window.entries_used());

  constexpr uint32_t AHEAD = 48;
  for (uint32_t i = begin; i < end; ++i) {
    if (i + AHEAD < end) __builtin_prefetch(bases + (window.entries[i + AHEAD] & ~NEGATIVE));
    const uint32_t entry = window.entries[i];
    const Point& base = bases[entry & ~NEGATIVE];
    points[i - begin] = base.negated_if((entry & NEGATIVE) != 0);
  }

  const uint32_t* const ends = window.ends;
  const uint32_t first =
      static_cast<uint32_t>(std::upper_bound(ends + 1, ends + window.buckets_used + 1, begin) - ends);
  size_t count = 0;
  for (uint32_t at = begin, bucket = first; at < end; ++bucket) {
    const uint32_t stop = std::min(ends[bucket], end);
    if (stop == at) continue;
    scratch.segments[count++] = {at - begin, stop - at};
    at = stop;
  }
  sum_segments(points, scratch.segments, count, false, scratch);

  Point* const buckets = reinterpret_cast<Point*>(window.buckets);
  size_t s = 0;
  Point* const carried = reinterpret_cast<Point*>(window.carried) + tile;
  const bool begun_before = ends[first - 1] < begin;
  *carried = begun_before ? points[scratch.segments[s++].start] : Point::identity();
  for (uint32_t bucket = begun_before ? first + 1 : first; s < count; ++bucket) {
    if (ends[bucket] != ends[bucket - 1]) buckets[bucket - 1] = points[scratch.segments[s++].start];
  }
}

}  // namespace zka::ZKA_ISA
