// The sums of distinct_pairs.h, one at a time.
#pragma once
#include "cpu/msm/terms.h"
#include "ec/affine.h"

namespace zka::ZKA_ISA {

template <class F>
struct OnePair {
  static constexpr size_t WIDTH = 1;
  using V = F;
  Affine<F>& to;
  const Affine<F>& from;

  // The stand-ins where `count` is 0.
  OnePair(Affine<F>* points, const Pair* pairs, size_t count, Affine<F>* stand_ins)
      : to(count == 0 ? stand_ins[0] : points[pairs->to]), from(count == 0 ? stand_ins[1] : points[pairs->from]) {}
  const F& x_to() const { return to.x; }
  const F& x_from() const { return from.x; }
  const F& y_to() const { return to.y; }
  const F& y_from() const { return from.y; }
  void put(const F& x, const F& y) const { to = {x, y}; }

  static F one() { return F::one(); }
  static void mul2(F& ab, const F& a, const F& b, F& cd, const F& c, const F& d) {
    ab = a * b;
    cd = c * d;
  }
  static F difference(const F& a, const F& b) { return a - b; }
  static F third_x(const F& square, const F& x1, const F& x2) { return square - x1 - x2; }
  static F run(const F& x1, const F& x3) { return x1 - x3; }
  static F third_y(const F& product, const F& y1) { return product - y1; }

  static void values(const F& product, F* out) { *out = product; }
  static F inverses(const F* of) { return *of; }
};

}  // namespace zka::ZKA_ISA
