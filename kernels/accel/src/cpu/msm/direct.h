// A window of few terms: added to their buckets one by one.
#pragma once
#include <bit>

#include "cpu/msm/digits.h"
#include "ec/curve.h"
#include "ec/jacobian.h"

namespace zka::ZKA_ISA {

// Takes room for 2^(c-1) sums in window.buckets, each of four coordinates.
template <class C>
void sum_directly(const Terms& terms, Window& window) {
  using Sum = Xyzz<typename C::Base>;
  const unsigned limbs = terms.split.limbs();
  const Digits digits(limbs, window.index, window.bits);
  const auto* const bases = reinterpret_cast<const typename C::Point*>(terms.points);
  Sum* const buckets = reinterpret_cast<Sum*>(window.buckets);
  uint32_t used = 0;
  const uint64_t* part = window.parts;
  for (unsigned p = 0; p < terms.split.parts; ++p) {
    for (size_t i = 0; i < terms.n; ++i, part += limbs) {
      const Digit digit = digits.of(part);
      for (; used < digit.bucket; ++used) buckets[used] = Sum::identity();
      if (digit.bucket == 0) continue;
      const auto& base = bases[p * terms.stride + i];
      buckets[digit.bucket - 1] = buckets[digit.bucket - 1] + (digit.negative ? -base : base);
    }
  }
  Sum running = Sum::identity(), total = running;
  for (; used > 0; --used) {
    running = running + buckets[used - 1];
    total = total + running;
  }
  window.sum = std::bit_cast<zka_jacobian>(Jacobian<typename C::Base>::from(total));
}

}  // namespace zka::ZKA_ISA
