#include "reference/msm.h"

#include <stdexcept>

#include "ff/field.h"

namespace zka::reference {
namespace {

using portable::Field;

constexpr zka_affine BN254_GENERATOR = {{{0xd35d438dc58f0d9dull, 0x0a78eb28f5c70b3dull, 0x666ea36f7879462cull, 0x0e0a77c19a07df2full}},
                                        {{0xa6ba871b8b1e1b3aull, 0x14f1d651eb8e167bull, 0xccdd46def0f28c58ull, 0x1c14ef83340fbe5eull}}};
constexpr zka_affine GRUMPKIN_GENERATOR = {{{0xac96341c4ffffffbull, 0x36fc76959f60cd29ull, 0x666ea36f7879462eull, 0x0e0a77c19a07df2full}},
                                           {{0x11b2dff1448c41d8ull, 0x23d3446f21c77dc3ull, 0xaa7b8cf435dfafbbull, 0x14b34cf69dc25d68ull}}};

// A curve y^2 = x^3 + b by its fields, b and the generator. Not that of the library, so that it may be wrong there.
struct Bn254 {
  static constexpr zka_field base_field = ZKA_FIELD_BN254_FQ, scalar_field = ZKA_FIELD_BN254_FR;
  using F = Field<FqParams>;
  static F b() { return F::from_u64(3); }
  static constexpr zka_affine generator = BN254_GENERATOR;
};
struct Grumpkin {
  static constexpr zka_field base_field = ZKA_FIELD_BN254_FR, scalar_field = ZKA_FIELD_BN254_FQ;
  using F = Field<FrParams>;
  static F b() { return -F::from_u64(17); }
  static constexpr zka_affine generator = GRUMPKIN_GENERATOR;
};

// work(C{}) with the type of that curve.
template <class Work>
auto with_curve(zka_curve curve, const Work& work) {
  switch (curve) {
    case ZKA_CURVE_BN254:
      return work(Bn254{});
    case ZKA_CURVE_GRUMPKIN:
      return work(Grumpkin{});
  }
  throw std::invalid_argument("there is no reference for that curve");
}

// (X/Z, Y/Z); the identity is (0, 1, 0).
template <class C>
struct Projective {
  using F = typename C::F;
  F x, y, z;

  static Projective identity() { return {F::zero(), F::one(), F::zero()}; }
  static Projective from(const zka_affine& p) {
    const F x = F::of(p.x.l), y = F::of(p.y.l);
    return x.is_zero() && y.is_zero() ? identity() : Projective{x, y, F::one()};
  }
  zka_affine to_affine() const {
    const F over = z.inverse();  // of zero: zero
    const F ax = x * over, ay = y * over;
    return {{{ax.l[0], ax.l[1], ax.l[2], ax.l[3]}}, {{ay.l[0], ay.l[1], ay.l[2], ay.l[3]}}};
  }

  // Complete: for any two points of a curve of odd order. [Renes, Costello, Batina, "Complete addition formulas for prime
  // order elliptic curves", EUROCRYPT 2016, equations behind algorithm 7: a = 0]
  friend Projective operator+(const Projective& p, const Projective& q) {
    const F b = C::b(), b3 = b + b + b;
    const F xx = p.x * q.x, yy = p.y * q.y, zz = b3 * p.z * q.z;
    const F xy = p.x * q.y + p.y * q.x, yz = p.y * q.z + p.z * q.y, xz = b3 * (p.x * q.z + p.z * q.x);
    const F xx3 = xx + xx + xx;
    return {xy * (yy - zz) - yz * xz, (yy + zz) * (yy - zz) + xx3 * xz, yz * (yy + zz) + xy * xx3};
  }
};

template <class C>
zka_affine msm_of(const zka_affine* points, const zka_fe* scalars, size_t n) {
  using Point = Projective<C>;
  Point sum = Point::identity();
  for (size_t i = 0; i < n; ++i) {
    const Point base = Point::from(points[i]);
    Point product = Point::identity();
    for (int bit = 255; bit >= 0; --bit) {
      product = product + product;
      if ((scalars[i].l[bit / 64] >> (bit % 64)) & 1) product = product + base;
    }
    sum = sum + product;
  }
  return sum.to_affine();
}

template <class C>
bool on_curve_of(const zka_affine& p) {
  using F = typename C::F;
  const F x = F::of(p.x.l), y = F::of(p.y.l);
  return (x.is_zero() && y.is_zero()) || y * y - x * x * x == C::b();
}

template <class C>
zka_affine negated_of(const zka_affine& p) {
  const auto y = -C::F::of(p.y.l);
  return {p.x, {{y.l[0], y.l[1], y.l[2], y.l[3]}}};
}

}  // namespace

zka_affine msm(zka_curve curve, const zka_affine* points, const zka_fe* scalars, size_t n) {
  return with_curve(curve, [&]<class C>(C) { return msm_of<C>(points, scalars, n); });
}

zka_affine add(zka_curve curve, const zka_affine& a, const zka_affine& b) {
  return with_curve(curve, [&]<class C>(C) { return (Projective<C>::from(a) + Projective<C>::from(b)).to_affine(); });
}

zka_affine negated(zka_curve curve, const zka_affine& a) {
  return with_curve(curve, [&]<class C>(C) { return negated_of<C>(a); });
}

bool on_curve(zka_curve curve, const zka_affine& a) {
  return with_curve(curve, [&]<class C>(C) { return on_curve_of<C>(a); });
}

zka_affine generator(zka_curve curve) {
  return with_curve(curve, []<class C>(C) { return C::generator; });
}

zka_field base_field(zka_curve curve) {
  return with_curve(curve, []<class C>(C) { return C::base_field; });
}

zka_field scalar_field(zka_curve curve) {
  return with_curve(curve, []<class C>(C) { return C::scalar_field; });
}

}  // namespace zka::reference
