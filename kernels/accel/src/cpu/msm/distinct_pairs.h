// The sums of pairs.h where no two points of a pair have the same x: then nothing is to be decided for a pair. Two chains of
// products side by side, each of one pair a step or of eight: what a product waits for is the other's time.
#pragma once
#include "cpu/msm/terms.h"
#include "ec/affine.h"
#if defined(ZKA_HAVE_IFMA)
#include "cpu/msm/pairs_ifma.h"
#else
#include "cpu/msm/pairs_scalar.h"
#endif

namespace zka::ZKA_ISA {

#if defined(ZKA_HAVE_IFMA)
template <class F>
using SomePairs = EightPairs<F>;
#else
template <class F>
using SomePairs = OnePair<F>;
#endif

// To the inverses of all lanes; false where one of them is zero.
template <class F>
bool invert_products(typename SomePairs<F>::V (&products)[2]) {
  using P = SomePairs<F>;
  F values[2 * P::WIDTH], before[2 * P::WIDTH], product = F::one();
  for (size_t chain = 0; chain < 2; ++chain) P::values(products[chain], values + chain * P::WIDTH);
  for (size_t i = 0; i < 2 * P::WIDTH; ++i) {
    before[i] = product;
    product *= values[i];
  }
  if (product.is_zero()) return false;
  F inverse = product.inverse();
  for (size_t i = 2 * P::WIDTH; i-- > 0;) {
    const F mine = inverse * before[i];
    inverse *= values[i];
    values[i] = mine;
  }
  for (size_t chain = 0; chain < 2; ++chain) products[chain] = P::inverses(values + chain * P::WIDTH);
  return true;
}

// False, and nothing done, where two points have the same x: no identity may be among them.
template <class F>
bool add_distinct_pairs(Affine<F>* points, const Pair* pairs, size_t count, void* memory) {
  using P = SomePairs<F>;
  using V = typename P::V;
  V* const before = static_cast<V*>(memory);
  Affine<F> stand_ins[2] = {Affine<F>::identity(), {F::one(), F::one()}};
  const size_t steps = (count + 2 * P::WIDTH - 1) / (2 * P::WIDTH);
  const auto some = [&](size_t group) {
    const size_t at = group * P::WIDTH, left = count > at ? count - at : 0;
    return P(points, pairs + at, left < P::WIDTH ? left : P::WIDTH, stand_ins);
  };

  V product[2] = {P::one(), P::one()};
  for (size_t k = 0; k < steps; ++k) {
    const P a = some(2 * k), b = some(2 * k + 1);
    before[2 * k] = product[0];
    before[2 * k + 1] = product[1];
    P::mul2(product[0], product[0], P::difference(a.x_from(), a.x_to()), product[1], product[1],
            P::difference(b.x_from(), b.x_to()));
  }
  if (!invert_products<F>(product)) return false;

  for (size_t k = steps; k-- > 0;) {
    const P a = some(2 * k), b = some(2 * k + 1);
    V inverse_a, inverse_b, slope_a, slope_b, square_a, square_b, y_a, y_b;
    P::mul2(inverse_a, product[0], before[2 * k], inverse_b, product[1], before[2 * k + 1]);
    const V x1_a = a.x_to(), x2_a = a.x_from(), x1_b = b.x_to(), x2_b = b.x_from();
    P::mul2(product[0], product[0], P::difference(x2_a, x1_a), product[1], product[1], P::difference(x2_b, x1_b));
    const V y1_a = a.y_to(), y1_b = b.y_to();
    P::mul2(slope_a, inverse_a, P::difference(a.y_from(), y1_a), slope_b, inverse_b, P::difference(b.y_from(), y1_b));
    P::mul2(square_a, slope_a, slope_a, square_b, slope_b, slope_b);
    const V x3_a = P::third_x(square_a, x1_a, x2_a), x3_b = P::third_x(square_b, x1_b, x2_b);
    P::mul2(y_a, slope_a, P::run(x1_a, x3_a), y_b, slope_b, P::run(x1_b, x3_b));
    b.put(x3_b, P::third_y(y_b, y1_b));
    a.put(x3_a, P::third_y(y_a, y1_a));
  }
  return true;
}

}  // namespace zka::ZKA_ISA
