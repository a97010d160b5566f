// From buckets to windows, and from windows to the sum of a column.
#pragma once
#include "ec/curve.h"
#include "ec/jacobian.h"
#include "ec/xyzz.h"
#include "gpu/grid/together.h"
#include "gpu/msm/points.h"
#include "gpu/msm/windows.h"

namespace zka::gpu {

// Buckets of a segment: as many sums one after the other, against the twice log2(buckets) that it takes to multiply.
inline constexpr uint32_t SEGMENT_BUCKETS = 16;

ZKA_HD constexpr uint32_t segments_of(uint32_t buckets) { return (buckets + SEGMENT_BUCKETS - 1) / SEGMENT_BUCKETS; }

// A row a slot, a thread a segment: the sum of its buckets, each times its digit, by running sums from the top.
template <class C>
struct SumSegments {
  using Sum = Xyzz<typename C::Base>;
  static constexpr uint32_t THREADS_MAX = 128;
  Windows windows;
  const Sum* bucket_sums;
  Sum* segment_sums;  // [slot][segment]

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint32_t slot = thread.row(), segments = segments_of(windows.buckets());
    const auto segment = static_cast<uint32_t>(thread.index());
    if (segment >= segments) return;
    const Sum* const buckets = bucket_sums + windows.first_bucket(slot);
    const uint32_t begin = segment * SEGMENT_BUCKETS, used = windows.used[slot];
    Sum running = Sum::identity(), total = running;
    for (uint32_t b = begin + SEGMENT_BUCKETS < used ? begin + SEGMENT_BUCKETS : used; b > begin; --b) {
      running = running + buckets[b - 1];
      total = total + running;
    }
    // That counts from the segment's beginning, an even number: instead of what its lowest bit would add comes the total.
    Sum sum = Sum::identity();
    for (unsigned bit = windows.bits; bit-- > 0;) {
      sum = sum.dbl();
      if (bit == 0) running = total;
      if (bit == 0 || (begin >> bit & 1) != 0) sum = sum + running;
    }
    segment_sums[uint64_t{slot} * segments + segment] = sum;
  }
};

// A block a slot.
template <class C>
struct SumWindows {
  using Sum = Xyzz<typename C::Base>;
  static constexpr uint32_t THREADS_MAX = 128;
  Windows windows;
  const Sum* segment_sums;
  Sum* window_sums;  // [column][window], to which this is added
  unsigned windows_each;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint32_t slot = thread.block(), segments = segments_of(windows.buckets());
    Sum sum = Sum::identity();
    for (uint32_t i = thread.thread(); i < segments; i += thread.threads()) {
      sum = sum + segment_sums[uint64_t{slot} * segments + i];
    }
    sum = sum_of_all(thread, thread.template shared<Sum>(), sum);
    if (thread.thread() != 0) return;
    Sum& window = window_sums[slot / windows.windows * windows_each + windows.first + slot % windows.windows];
    window = window + sum;
  }
};

// A thread a column: its windows, each times its power of two; with z = 1, or (0, 1, 0).
template <class C>
struct Collect {
  using F = typename C::Base;
  static constexpr uint32_t THREADS_MAX = 32;
  const Xyzz<F>* window_sums;
  unsigned windows_each, bits;
  uint32_t columns;
  Jacobian<F>* out;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    if (thread.index() >= columns) return;
    const Xyzz<F>* const sums = window_sums + thread.index() * windows_each;
    Jacobian<F> sum = Jacobian<F>::identity();
    for (unsigned w = windows_each; w-- > 0;) {
      for (unsigned i = 0; i < bits; ++i) sum = sum.dbl();
      sum = sum + Jacobian<F>::from(sums[w]);
    }
    out[thread.index()] = Jacobian<F>::from(canonical(sum.to_affine()));
  }
};

}  // namespace zka::gpu
