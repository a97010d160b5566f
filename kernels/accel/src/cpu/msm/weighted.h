// The sum of buckets, each times its digit: running sums from the top, in segments side by side, so that each step is one
// round of pairs. What is left is a weighted sum again, of the segments' sums.
#pragma once
#include "cpu/msm/tile.h"
#include "ec/xyzz.h"

namespace zka::ZKA_ISA {

// Below this the pairs are too few to share an inversion.
inline constexpr uint32_t SERIAL_MAX = 64;

constexpr uint32_t segments_of(uint32_t buckets) { return (buckets + SEGMENT - 1) / SEGMENT; }

// 1 * points[0] + 2 * points[1] + ... + count * points[count - 1]
template <class F>
Xyzz<F> weighted_sum_serially(const Affine<F>* points, uint32_t count) {
  Xyzz<F> running = Xyzz<F>::identity(), total = running;
  for (uint32_t i = count; i-- > 0;) {
    running = running + points[i];
    total = total + running;
  }
  return total;
}

// The same; `points` has room for segments_of(count) more, and is used up.
template <class F>
Xyzz<F> weighted_sum(Affine<F>* points, uint32_t count, const Scratch& scratch) {
  if (count <= SERIAL_MAX) return weighted_sum_serially(points, count);
  const uint32_t segments = segments_of(count);
  const auto top = [&](uint32_t segment) { return std::min((segment + 1) * SEGMENT, count) - 1; };
  for (uint32_t i = 0; i < segments; ++i) points[count + i] = Affine<F>::identity();

  // Of segment i, points[top(i)] is the running sum and points[count + i] the sum of what that has been.
  for (uint32_t step = 1; step <= SEGMENT; ++step) {
    size_t pairs = 0;
    for (uint32_t i = 0; i < segments; ++i) {
      if (i * SEGMENT + step <= top(i)) scratch.pairs[pairs++] = {top(i), top(i) - step};
    }
    // Behind, so that they read the running sums before this step changes them.
    for (uint32_t i = 0; i < segments; ++i) {
      if (i * SEGMENT + step <= top(i) + 1) scratch.pairs[pairs++] = {count + i, top(i)};
    }
    add_pairs(points, scratch.pairs, pairs, scratch.products);
  }

  // Segment i has SEGMENT * i * (its sum) in addition to its own weighted sum.
  scratch.segments[0] = {count, segments};
  sum_segments(points, scratch.segments, 1, true, scratch);
  const Affine<F> own = points[count];
  for (uint32_t i = 1; i < segments; ++i) points[i - 1] = points[top(i)];
  Xyzz<F> rest = weighted_sum(points, segments - 1, scratch);
  for (uint32_t times = SEGMENT; times > 1; times /= 2) rest = rest.dbl();
  return rest + own;
}

}  // namespace zka::ZKA_ISA
