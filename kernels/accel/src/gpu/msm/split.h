// Scalars in parts, a thread each.
#pragma once
#include "cpu/msm/split.h"
#include "gpu/msm/windows.h"

namespace zka::gpu {

// The limbs of each thread's scalar are in shared memory, so that they can be indexed.
template <class C>
struct SplitScalars {
  static constexpr uint32_t LIMBS = 4;
  Windows windows;
  const typename C::Scalar* scalars;  // [column][..]: those of a column begin `stride` after those of the one before
  uint64_t stride;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i >= windows.n) return;
    const Split& split = windows.split;
    // The shorter of the scalar and its negative.
    const Words k = scalars[thread.row() * stride + i].to_canonical().l;
    uint32_t unused, negative;
    const Words negated = difference(Words::of(C::Order::modulus), k, unused);
    difference(negated, k, negative);
    uint64_t* const limbs = thread.template shared<uint64_t>() + thread.thread() * LIMBS;
    ZKA_UNROLLED
    for (uint32_t j = 0; j < LIMBS; ++j) {
      const uint32_t low = negative != 0 ? negated.w[2 * j] : k.w[2 * j];
      const uint32_t high = negative != 0 ? negated.w[2 * j + 1] : k.w[2 * j + 1];
      limbs[j] = uint64_t{high} << 32 | low;
    }
    for (unsigned p = 0; p < split.parts; ++p) {
      uint64_t* const part =
          windows.parts + (uint64_t{thread.row()} * windows.count() + uint64_t{p} * windows.n + i) * split.limbs();
      cut(limbs, p * split.bits, split.bits, part);
      if (negative != 0) part[split.limbs() - 1] |= SIGN;
    }
  }
};

}  // namespace zka::gpu
