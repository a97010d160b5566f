// Points of y^2 = x^3 + b as they are in memory; (0, 0), which is on no curve, is the identity.
#pragma once
#include "ff/hd.h"
#include "ff/isa.h"

namespace zka::ZKA_ISA {

template <class F>
struct Affine {
  F x, y;

  static constexpr ZKA_HD Affine identity() { return {F::zero(), F::zero()}; }
  ZKA_HD bool is_identity() const { return x.is_zero() && y.is_zero(); }
  ZKA_HD Affine operator-() const { return {x, -y}; }
  // Without a branch.
  Affine negated_if(bool negate) const { return {x, F::select(negate, -y, y)}; }
  friend ZKA_HD bool operator==(const Affine& a, const Affine& b) { return a.x == b.x && a.y == b.y; }
};

}  // namespace zka::ZKA_ISA
