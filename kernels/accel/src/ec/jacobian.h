// Points (X/Z^2, Y/Z^3), Z = 0 for the identity: the cheapest to double.
// Formulas: Explicit-Formulas Database, "Jacobian coordinates with a4=0 for short Weierstrass curves", by the names given.
#pragma once
#include "ec/affine.h"
#include "ec/xyzz.h"

namespace zka::ZKA_ISA {

template <class F>
struct Jacobian {
  F x, y, z;

  static constexpr ZKA_HD Jacobian identity() { return {F::zero(), F::one(), F::zero()}; }
  static ZKA_HD Jacobian from(const Affine<F>& p) { return p.is_identity() ? identity() : Jacobian{p.x, p.y, F::one()}; }
  // Z = ZZ fits, since then Z^2 = ZZ * ZZ and Z^3 = ZZ^3 = ZZZ * ZZZ.
  static ZKA_HD Jacobian from(const Xyzz<F>& p) {
    return p.is_identity() ? identity() : Jacobian{p.x * p.zz, p.y * p.zzz, p.zz};
  }
  ZKA_HD bool is_identity() const { return z.is_zero(); }

  // dbl-2009-l
  ZKA_HD Jacobian dbl() const {
    if (is_identity()) return *this;
    const F a = x.square(), b = y.square(), c = b.square();
    const F d = ((x + b).square() - a - c).dbl(), e = a.dbl() + a;
    const F x3 = e.square() - d.dbl();
    return {x3, e * (d - x3) - c.dbl().dbl().dbl(), (y * z).dbl()};
  }

  // madd-2007-bl
  friend ZKA_HD Jacobian operator+(const Jacobian& p, const Affine<F>& q) {
    if (q.is_identity()) return p;
    if (p.is_identity()) return from(q);
    const F z1z1 = p.z.square(), h = q.x * z1z1 - p.x, s = q.y * p.z * z1z1 - p.y;
    if (h.is_zero()) return s.is_zero() ? p.dbl() : identity();
    const F hh = h.square(), i = hh.dbl().dbl(), j = h * i, r = s.dbl(), v = p.x * i;
    const F x3 = r.square() - j - v.dbl();
    return {x3, r * (v - x3) - (p.y * j).dbl(), (p.z + h).square() - z1z1 - hh};
  }

  // add-2007-bl
  friend ZKA_HD Jacobian operator+(const Jacobian& p, const Jacobian& q) {
    if (q.is_identity()) return p;
    if (p.is_identity()) return q;
    const F z1z1 = p.z.square(), z2z2 = q.z.square(), u1 = p.x * z2z2, h = q.x * z1z1 - u1;
    const F s1 = p.y * q.z * z2z2, s = q.y * p.z * z1z1 - s1;
    if (h.is_zero()) return s.is_zero() ? p.dbl() : identity();
    const F i = h.dbl().square(), j = h * i, r = s.dbl(), v = u1 * i;
    const F x3 = r.square() - j - v.dbl();
    return {x3, r * (v - x3) - (s1 * j).dbl(), ((p.z + q.z).square() - z1z1 - z2z2) * h};
  }

  // `z_inverse` is 1/z, and anything for the identity.
  ZKA_HD Affine<F> to_affine(const F& z_inverse) const {
    if (is_identity()) return Affine<F>::identity();
    const F square = z_inverse.square();
    return {x * square, y * square * z_inverse};
  }
  ZKA_HD Affine<F> to_affine() const { return to_affine(z.inverse()); }
};

}  // namespace zka::ZKA_ISA
