// Points (X/ZZ, Y/ZZZ) with ZZ^3 = ZZZ^2, ZZ = 0 for the identity: the cheapest sum of many points without an inversion.
// Formulas: Explicit-Formulas Database, "Short Weierstrass curves, XYZZ coordinates", by the names given, with a = 0.
#pragma once
#include "ec/affine.h"

namespace zka::ZKA_ISA {

template <class F>
struct Xyzz {
  F x, y, zz, zzz;

  static constexpr ZKA_HD Xyzz identity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }
  static ZKA_HD Xyzz from(const Affine<F>& p) {
    return p.is_identity() ? identity() : Xyzz{p.x, p.y, F::one(), F::one()};
  }
  ZKA_HD bool is_identity() const { return zz.is_zero(); }

  // dbl-2008-s-1
  ZKA_HD Xyzz dbl() const {
    if (is_identity()) return *this;
    const F u = y.dbl(), v = u.square(), w = u * v, s = x * v, x2 = x.square(), m = x2.dbl() + x2;
    const F x3 = m.square() - s.dbl();
    return {x3, m * (s - x3) - w * y, v * zz, w * zzz};
  }

  // madd-2008-s
  friend ZKA_HD Xyzz operator+(const Xyzz& a, const Affine<F>& b) {
    if (b.is_identity()) return a;
    if (a.is_identity()) return from(b);
    const F p = b.x * a.zz - a.x, r = b.y * a.zzz - a.y;
    if (p.is_zero()) return r.is_zero() ? a.dbl() : identity();
    const F pp = p.square(), ppp = p * pp, q = a.x * pp;
    const F x3 = r.square() - ppp - q.dbl();
    return {x3, r * (q - x3) - a.y * ppp, a.zz * pp, a.zzz * ppp};
  }

  // add-2008-s
  friend ZKA_HD Xyzz operator+(const Xyzz& a, const Xyzz& b) {
    if (b.is_identity()) return a;
    if (a.is_identity()) return b;
    const F u1 = a.x * b.zz, s1 = a.y * b.zzz, p = b.x * a.zz - u1, r = b.y * a.zzz - s1;
    if (p.is_zero()) return r.is_zero() ? a.dbl() : identity();
    const F pp = p.square(), ppp = p * pp, q = u1 * pp;
    const F x3 = r.square() - ppp - q.dbl();
    return {x3, r * (q - x3) - s1 * ppp, a.zz * b.zz * pp, a.zzz * b.zzz * ppp};
  }
};

}  // namespace zka::ZKA_ISA
