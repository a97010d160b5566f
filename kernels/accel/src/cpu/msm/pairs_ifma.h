// The sums of pairs.h, eight side by side in each of two chains.
//
// Points stay in the memory's form, x * 2^256, while a product is a * b / 2^260: so a power of two is carried along.
// The inverse of dx is 2^518 / (dx * 2^256), hence the slope is dy/dx * 2^258, its square right (516 - 260 = 256), and the
// slope times a difference of x is a quarter of what it should be: the difference is taken four times.
#pragma once
#include "cpu/msm/terms.h"
#include "ec/affine.h"
#include "ff/ifma52.h"

namespace zka::ZKA_ISA {

#if defined(ZKA_HAVE_IFMA)

template <class F>
struct FieldEight;
template <class Params>
struct FieldEight<Field<Params>> {
  using Type = Field8<Params>;
};

template <class F>
struct EightPairs {
  using V = typename FieldEight<F>::Type;
  F* to[8];
  const F* from[8];

  // The coordinates of the points; lanes beyond `count` are of the stand-ins.
  EightPairs(Affine<F>* points, const Pair* pairs, size_t count, Affine<F>* stand_ins) {
    for (size_t i = 0; i < 8; ++i) {
      to[i] = i < count ? &points[pairs[i].to].x : &stand_ins[0].x;
      from[i] = i < count ? &points[pairs[i].from].x : &stand_ins[1].x;
    }
  }
  V x_to() const { return load(to, 0); }
  V x_from() const { return load(from, 0); }
  V y_to() const { return load(to, 1); }
  V y_from() const { return load(from, 1); }
  void put(const V& x, const V& y) const {
    F* at[8];
    for (int i = 0; i < 8; ++i) at[i] = to[i] + 1;
    x.store(to);
    y.store(at);
  }

 private:
  template <class P>
  static V load(P const (&base)[8], int coordinate) {
    const F* at[8];
    for (int i = 0; i < 8; ++i) at[i] = base[i] + coordinate;
    return V::load(at);
  }
};

// 4 (a - b + 2p), below 12p for reduced numbers.
template <class V>
V four_times_difference(const V& a, const V& b) {
  V out;
  for (int i = 0; i < 5; ++i) {
    out.l[i] = _mm512_slli_epi64(_mm512_add_epi64(_mm512_sub_epi64(a.l[i], b.l[i]), V::p_limb(i, 2)), 2);
  }
  return out.normalised();
}
// a - b - c, reduced, of a tight number and two reduced ones.
template <class V>
V less_both(const V& a, const V& b, const V& c) {
  V out;
  for (int i = 0; i < 5; ++i) {
    out.l[i] = _mm512_sub_epi64(_mm512_add_epi64(a.l[i], V::p_limb(i, 2)), _mm512_add_epi64(b.l[i], c.l[i]));
  }
  return out.normalised().tighten().reduce();
}

// Of products of dx, 2^518 / product; false where one of them is zero.
template <class F, class V>
bool invert_products(V (&products)[2]) {
  F values[16], before[16], product = F::one();
  products[0].reduce().store(values);
  products[1].reduce().store(values + 8);
  for (int i = 0; i < 16; ++i) {
    before[i] = product;
    product *= values[i];
  }
  if (product.is_zero()) return false;
  F inverse = product.inverse();
  for (int i = 0; i < 6; ++i) inverse = inverse.dbl();
  for (int i = 16; i-- > 0;) {
    const F mine = inverse * before[i];
    inverse *= values[i];
    values[i] = mine;
  }
  products[0] = V::load(values);
  products[1] = V::load(values + 8);
  return true;
}

// False, and nothing done, where there are too few, or two points have the same x: no identity may be among them.
template <class F>
bool add_pairs_by_eight(Affine<F>* points, const Pair* pairs, size_t count, void* memory) {
  using V = typename FieldEight<F>::Type;
  if (count < 16) return false;
  V* const before = static_cast<V*>(memory);
  Affine<F> stand_ins[2] = {Affine<F>::identity(), {F::one(), F::one()}};
  const size_t twice = (count + 15) / 16;
  const auto eight = [&](size_t group) {
    const size_t at = group * 8, left = count > at ? count - at : 0;
    return EightPairs<F>(points, pairs + at, left < 8 ? left : 8, stand_ins);
  };

  V product[2] = {V::one_inner(), V::one_inner()};
  for (size_t k = 0; k < twice; ++k) {
    const auto a = eight(2 * k), b = eight(2 * k + 1);
    before[2 * k] = product[0];
    before[2 * k + 1] = product[1];
    V::mul2(product[0], product[0], V::sub_loose(a.x_from(), a.x_to(), 1), product[1], product[1],
            V::sub_loose(b.x_from(), b.x_to(), 1));
  }
  if (!invert_products<F>(product)) return false;

  for (size_t k = twice; k-- > 0;) {
    const auto a = eight(2 * k), b = eight(2 * k + 1);
    V inverse_a, inverse_b, slope_a, slope_b, square_a, square_b, y_a, y_b;
    V::mul2(inverse_a, product[0], before[2 * k], inverse_b, product[1], before[2 * k + 1]);
    const V x1_a = a.x_to(), x2_a = a.x_from(), x1_b = b.x_to(), x2_b = b.x_from();
    V::mul2(product[0], product[0], V::sub_loose(x2_a, x1_a, 1), product[1], product[1], V::sub_loose(x2_b, x1_b, 1));
    const V y1_a = a.y_to(), y1_b = b.y_to();
    V::mul2(slope_a, inverse_a, V::sub_loose(a.y_from(), y1_a, 1), slope_b, inverse_b,
            V::sub_loose(b.y_from(), y1_b, 1));
    V::mul2(square_a, slope_a, slope_a, square_b, slope_b, slope_b);
    const V x3_a = less_both(square_a, x1_a, x2_a), x3_b = less_both(square_b, x1_b, x2_b);
    V::mul2(y_a, slope_a, four_times_difference(x1_a, x3_a), y_b, slope_b, four_times_difference(x1_b, x3_b));
    b.put(x3_b, V::sub(y_b, y1_b).reduce());
    a.put(x3_a, V::sub(y_a, y1_a).reduce());
  }
  return true;
}

#else

template <class F>
bool add_pairs_by_eight(Affine<F>*, const Pair*, size_t, void*) {
  return false;
}

#endif

}  // namespace zka::ZKA_ISA
