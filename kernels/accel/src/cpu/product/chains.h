// Sixteen products that grow side by side: each waits for its last factor, so one alone would leave the machine idle.
#pragma once
#include "cpu/lanes.h"
#include "cpu/product/loops.h"

namespace zka::ZKA_ISA {

template <class Params>
struct Chains {
  using F = Field<Params>;
  using L = Lanes<Params>;
  static constexpr size_t COUNT = cpu::SEGMENTS / L::WIDTH;
  L of[COUNT];

  static Chains ones() {
    Chains all;
    for (L& chain : all.of) chain = L::broadcast(F::one());
    return all;
  }
  // Sixteen elements, `step` apart.
  static Chains load(const F* at, size_t step) {
    Chains all;
    for (size_t c = 0; c < COUNT; ++c) {
#if defined(ZKA_HAVE_IFMA)
      all.of[c] = {step == 1 ? Field8<Params>::load(at + 8 * c) : Field8<Params>::load(at + 8 * c * step, step)};
#else
      all.of[c] = L::load(at + c * step);
#endif
    }
    return all;
  }
  void store(F* at, size_t step) const {
    for (size_t c = 0; c < COUNT; ++c) {
#if defined(ZKA_HAVE_IFMA)
      const Field8<Params> reduced = of[c].v.reduce();
      step == 1 ? reduced.store(at + 8 * c) : reduced.store(at + 8 * c * step, step);
#else
      of[c].store(at + c * step);
#endif
    }
  }
  friend Chains operator*(const Chains& a, const Chains& b) {
    Chains all;
    for (size_t c = 0; c < COUNT; ++c) all.of[c] = a.of[c] * b.of[c];
    return all;
  }
  // Of elements as they were loaded: `by` in place of zeros.
  Chains with_zeros(const Chains& where, const Chains& by) const {
    Chains all;
    for (size_t c = 0; c < COUNT; ++c) {
#if defined(ZKA_HAVE_IFMA)
      all.of[c] = {Field8<Params>::blend(where.of[c].v.is_zero(), of[c].v, by.of[c].v)};
#else
      all.of[c] = where.of[c].v.is_zero() ? by.of[c] : of[c];
#endif
    }
    return all;
  }
};

}  // namespace zka::ZKA_ISA
