// The sums of distinct_pairs.h, eight side by side.
//
// Points stay in the memory's form, x * 2^256, while a product is a * b / 2^260: so a power of two is carried along.
// The inverse of dx is 2^518 / (dx * 2^256), hence the slope is dy/dx * 2^258, its square right (516 - 260 = 256), and the
// slope times a difference of x is a quarter of what it should be: the difference is taken four times.
#pragma once
#include "cpu/msm/terms.h"
#include "ec/affine.h"
#include "ff/ifma52.h"

namespace zka::ZKA_ISA {

template <class F>
struct FieldEight;
template <class Params>
struct FieldEight<Field<Params>> {
  using Type = Field8<Params>;
};

template <class F>
struct EightPairs {
  static constexpr size_t WIDTH = 8;
  using V = typename FieldEight<F>::Type;
  F* to[8];
  const F* from[8];

  // Lanes beyond `count` are of the stand-ins.
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

  static V one() { return V::one_inner(); }
  [[gnu::always_inline]] static void mul2(V& ab, const V& a, const V& b, V& cd, const V& c, const V& d) {
    V::mul2(ab, a, b, cd, c, d);
  }
  static V difference(const V& a, const V& b) { return V::sub_loose(a, b, 1); }
  // Of the slope's square, tight: less both, reduced.
  static V third_x(const V& square, const V& x1, const V& x2) {
    V out;
    for (int i = 0; i < 5; ++i) {
      out.l[i] =
          _mm512_sub_epi64(_mm512_add_epi64(square.l[i], V::p_limb(i, 2)), _mm512_add_epi64(x1.l[i], x2.l[i]));
    }
    return out.normalised().tighten().reduce();
  }
  // 4 (x1 - x3 + 2p), below 12p.
  static V run(const V& x1, const V& x3) {
    V out;
    for (int i = 0; i < 5; ++i) {
      out.l[i] = _mm512_slli_epi64(_mm512_add_epi64(_mm512_sub_epi64(x1.l[i], x3.l[i]), V::p_limb(i, 2)), 2);
    }
    return out.normalised();
  }
  static V third_y(const V& product, const V& y1) { return V::sub(product, y1).reduce(); }

  static void values(const V& product, F* out) { product.reduce().store(out); }
  // Of inverses, with the power of two.
  static V inverses(F* of) {
    for (size_t i = 0; i < 8; ++i) {
      for (int k = 0; k < 6; ++k) of[i] = of[i].dbl();
    }
    return V::load(of);
  }

 private:
  template <class P>
  static V load(P const (&base)[8], int coordinate) {
    const F* at[8];
    for (int i = 0; i < 8; ++i) at[i] = base[i] + coordinate;
    return V::load(at);
  }
};

}  // namespace zka::ZKA_ISA
