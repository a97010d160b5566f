// The table of curves: the one place that chooses by a zka_curve. A curve of the interface without a row does not compile,
// and any other number is refused. All are y^2 = x^3 + b, of prime order: no point has y = 0, so that a doubling never
// divides by zero.
#pragma once
#include "core/unknown_id.h"
#include "ec/affine.h"
#include "ec/curve_constants.h"
#include "ff/fields.h"
#include "zkaccel/msm.h"

namespace zka::ZKA_ISA {

template <zka_field BASE, zka_field SCALAR, class CurveParams>
struct Curve {
  static constexpr zka_field base_field = BASE;
  static constexpr zka_field scalar_field = SCALAR;
  using Base = FieldOf<BASE>;
  using Scalar = FieldOf<SCALAR>;
  using Point = Affine<Base>;
  using Order = typename FieldRow<SCALAR>::Params;
  using Params = CurveParams;

  static ZKA_HD Base b() {
    constexpr Base value = Base::of(Params::b);
    return value;
  }
  // A cube root of one: (beta x, y) is Params::lambda times (x, y).
  static ZKA_HD Base beta() {
    constexpr Base value = Base::of(FieldRow<BASE>::Params::cube_root);
    return value;
  }
  static ZKA_HD bool has(const Point& point) {
    return point.is_identity() || point.y.square() == point.x.square() * point.x + b();
  }
};

//                     base field          scalar field
using Bn254 = Curve<ZKA_FIELD_BN254_FQ, ZKA_FIELD_BN254_FR, Bn254Params>;
using Grumpkin = Curve<ZKA_FIELD_BN254_FR, ZKA_FIELD_BN254_FQ, GrumpkinParams>;

// work(C{}) with the type of that curve. Throws INVALID_ARG.
template <class Work>
constexpr decltype(auto) with_curve(zka_curve curve, const Work& work) {
  switch (curve) {
    case ZKA_CURVE_BN254:
      return work(Bn254{});
    case ZKA_CURVE_GRUMPKIN:
      return work(Grumpkin{});
  }
  refuse_id("curve", curve);
}

}  // namespace zka::ZKA_ISA
