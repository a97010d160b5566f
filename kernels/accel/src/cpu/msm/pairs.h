// Sums of many pairs of points at the price of one inversion. [Montgomery's trick, 1987, §10.3.1; for buckets: the notes of
// gnark-crypto and barretenberg on "batch affine" additions]
#pragma once
#include "cpu/msm/distinct_pairs.h"

namespace zka::ZKA_ISA {

// What a sum divides by: the difference of x, twice y for a doubling; one where the sum is the identity. Neither point is.
template <class F>
F denominator(const Affine<F>& a, const Affine<F>& b) {
  const F run = b.x - a.x;
  if (!run.is_zero()) return run;
  return a.y == b.y ? a.y.dbl() : F::one();
}

template <class F>
Affine<F> sum_with_inverse(const Affine<F>& a, const Affine<F>& b, const F& inverse) {
  F rise = b.y - a.y;
  if (a.x == b.x) {
    if (!rise.is_zero()) return Affine<F>::identity();
    const F square = a.x.square();
    rise = square.dbl() + square;
  }
  const F slope = rise * inverse;
  const F x = slope.square() - a.x - b.x;
  return {x, slope * (a.x - x) - a.y};
}

template <class F>
void add_pairs_one_by_one(Affine<F>* points, const Pair* pairs, size_t count, F* products) {
  F product = F::one();
  for (size_t k = 0; k < count; ++k) {
    products[k] = product;
    product *= denominator(points[pairs[k].to], points[pairs[k].from]);
  }
  F inverse = product.inverse();
  for (size_t k = count; k-- > 0;) {
    Affine<F>& to = points[pairs[k].to];
    const Affine<F>& from = points[pairs[k].from];
    const F mine = inverse * products[k];
    inverse *= denominator(to, from);
    to = sum_with_inverse(to, from, mine);
  }
}

// points[to] += points[from] for each pair, from the last to the first: a point that a later pair reads may be one that
// an earlier pair changes, and not the other way round. The pairs are used up.
template <class F>
void add_pairs(Affine<F>* points, Pair* pairs, size_t count, void* products) {
  size_t first = count;
  for (size_t k = count; k-- > 0;) {
    Affine<F>& to = points[pairs[k].to];
    const Affine<F>& from = points[pairs[k].from];
    if (from.is_identity()) continue;
    if (to.is_identity()) {
      to = from;
    } else {
      pairs[--first] = pairs[k];
    }
  }
  if (first == count) return;
  if (add_distinct_pairs(points, pairs + first, count - first, products)) return;
  add_pairs_one_by_one(points, pairs + first, count - first, static_cast<F*>(products));
}

}  // namespace zka::ZKA_ISA
