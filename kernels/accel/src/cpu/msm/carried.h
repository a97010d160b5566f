// Buckets that reach over the end of a tile: what later tiles have of them is added to them.
#pragma once
#include "cpu/msm/tile.h"

namespace zka::ZKA_ISA {

template <class C>
void add_carried(const Window& window, const Scratch& scratch) {
  using Point = typename C::Point;
  const Point* const carried = reinterpret_cast<const Point*>(window.carried);
  Point* const buckets = reinterpret_cast<Point*>(window.buckets);
  Point* const points = reinterpret_cast<Point*>(scratch.points);
  const uint32_t tiles = window.tiles();

  // A bucket and what was carried for it are adjacent in one segment; at most TILE points at once.
  for (uint32_t begin = 0; begin < tiles; begin += TILE / 2) {
    const uint32_t end = std::min(tiles, begin + TILE / 2);
    const auto each = [&](const auto& visit) {
      uint32_t last = 0;
      for (uint32_t tile = begin; tile < end; ++tile) {
        if (carried[tile].is_identity()) continue;
        const auto* const found =
            std::upper_bound(window.ends + 1, window.ends + window.buckets_used + 1, tile * TILE);
        const uint32_t bucket = static_cast<uint32_t>(found - window.ends);
        visit(tile, bucket, bucket != last);
        last = bucket;
      }
    };
    uint32_t used = 0;
    size_t count = 0;
    each([&](uint32_t tile, uint32_t bucket, bool fresh) {
      if (fresh) {
        scratch.segments[count++] = {used, 1};
        points[used++] = buckets[bucket - 1];
      }
      ++scratch.segments[count - 1].length;
      points[used++] = carried[tile];
    });
    sum_segments(points, scratch.segments, count, true, scratch);
    count = 0;
    each([&](uint32_t, uint32_t bucket, bool fresh) {
      if (fresh) buckets[bucket - 1] = points[scratch.segments[count++].start];
    });
  }
}

}  // namespace zka::ZKA_ISA
