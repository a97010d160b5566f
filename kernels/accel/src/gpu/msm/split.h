// Scalars in parts, a thread each.
#pragma once
#include "cpu/msm/split.h"
#include "gpu/msm/windows.h"

namespace zka::gpu {

template <class C>
struct SplitScalars {
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
    uint64_t limbs[4];
    for (int j = 0; j < 4; ++j) {
      const Words& shorter = negative != 0 ? negated : k;
      limbs[j] = uint64_t{shorter.w[2 * j + 1]} << 32 | shorter.w[2 * j];
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
