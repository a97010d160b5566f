// From buckets to windows, and from windows to the sum of a column.
#pragma once
#include "ec/curve.h"
#include "ec/jacobian.h"
#include "ec/xyzz.h"
#include "gpu/grid/together.h"
#include "gpu/msm/points.h"
#include "gpu/msm/windows.h"

namespace zka::gpu {

// Of a slot, added up by one block of threads.
inline constexpr uint32_t SEGMENTS_OF_BLOCK = 128;

ZKA_HD constexpr uint32_t segment_blocks_of(uint32_t segments) {
  return (segments + SEGMENTS_OF_BLOCK - 1) / SEGMENTS_OF_BLOCK;
}

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
    const uint32_t slot = thread.row();
    const auto segment = static_cast<uint32_t>(thread.index());
    if (segment >= windows.segments()) return;
    const Sum* const buckets = bucket_sums + windows.first_bucket(slot);
    const uint32_t length = uint32_t{1} << windows.log_segment, begin = segment * length, used = windows.used[slot];
    Sum running = Sum::identity(), total = running;
    for (uint32_t b = begin + length < used ? begin + length : used; b > begin; --b) {
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
    segment_sums[uint64_t{slot} * windows.segments() + segment] = sum;
  }
};

// A row a slot: the segments of each block. Apart from what sums them, whose registers are all in use.
template <class C>
struct SumBlocks {
  using Sum = Xyzz<typename C::Base>;
  static constexpr uint32_t THREADS_MAX = SEGMENTS_OF_BLOCK;
  Windows windows;
  const Sum* segment_sums;
  Sum* block_sums;  // [slot][block]

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const auto segment = static_cast<uint32_t>(thread.index());
    const Sum* const segments = segment_sums + uint64_t{thread.row()} * windows.segments();
    const Sum own = segment < windows.segments() ? segments[segment] : Sum::identity();
    const Sum all = sum_of_all(thread, thread.template shared<Sum>(), own);
    if (thread.thread() == 0) block_sums[uint64_t{thread.row()} * thread.blocks() + thread.block()] = all;
  }
};

// A block a slot.
template <class C>
struct SumWindows {
  using Sum = Xyzz<typename C::Base>;
  static constexpr uint32_t THREADS_MAX = 128;
  Windows windows;
  const Sum* block_sums;  // see SumBlocks
  Sum* window_sums;  // [column][window], to which this is added
  unsigned windows_each;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint32_t slot = thread.block(), blocks = segment_blocks_of(windows.segments());
    Sum sum = Sum::identity();
    for (uint32_t i = thread.thread(); i < blocks; i += thread.threads()) {
      sum = sum + block_sums[uint64_t{slot} * blocks + i];
    }
    sum = sum_of_all(thread, thread.template shared<Sum>(), sum);
    if (thread.thread() != 0) return;
    Sum& window = window_sums[slot / windows.windows * windows_each + windows.first + slot % windows.windows];
    window = window + sum;
  }
};

// The windows of a column, each times its power of two; with z = 1, or (0, 1, 0).
template <class F>
ZKA_HD Jacobian<F> sum_of_windows(const Xyzz<F>* sums, unsigned windows, unsigned bits) {
  Jacobian<F> sum = Jacobian<F>::identity();
  for (unsigned w = windows; w-- > 0;) {
    for (unsigned i = 0; i < bits; ++i) sum = sum.dbl();
    sum = sum + Jacobian<F>::from(sums[w]);
  }
  return Jacobian<F>::from(canonical(sum.to_affine()));
}

// A thread a column.
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
    out[thread.index()] = sum_of_windows(window_sums + thread.index() * windows_each, windows_each, bits);
  }
};

}  // namespace zka::gpu
