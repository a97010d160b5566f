// The two curves: each is over the field that orders the other. Both are y^2 = x^3 + b, of prime order: no point has
// y = 0, so that a doubling never divides by zero.
#pragma once
#include "ec/affine.h"
#include "ec/curve_constants.h"
#include "ff/field.h"

namespace zka::ZKA_ISA {

template <class BaseField, class BaseParams, class ScalarField, class ScalarParams, class GlvParams>
struct Curve {
  using Base = BaseField;
  using Scalar = ScalarField;
  using Point = Affine<Base>;
  using Order = ScalarParams;
  using Glv = GlvParams;

  static ZKA_HD Base b() {
    constexpr Base value = Base::of(BaseParams::curve_b);
    return value;
  }
  // A cube root of one: (beta x, y) is Glv::lambda times (x, y).
  static ZKA_HD Base beta() {
    constexpr Base value = Base::of(BaseParams::cube_root);
    return value;
  }
  static ZKA_HD bool has(const Point& point) {
    return point.is_identity() || point.y.square() == point.x.square() * point.x + b();
  }
};

using Bn254 = Curve<Fq, FqParams, Fr, FrParams, Bn254Glv>;
using Grumpkin = Curve<Fr, FrParams, Fq, FqParams, GrumpkinGlv>;

}  // namespace zka::ZKA_ISA
