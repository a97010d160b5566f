// Powers of a factor times polynomials, summed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "core/operations/polynomial.h"
#include "cpu/lanes.h"

namespace zka::ZKA_ISA {

// to[0..n): c[at..] and zeros after its end.
template <class F>
void padded(F* to, size_t n, const Coefficients& c, size_t at) {
  const size_t there = at < c.n ? std::min(n, c.n - at) : 0;
  if (there > 0) std::copy_n(reinterpret_cast<const F*>(c.data) + at, there, to);
  std::fill(to + there, to + n, F::zero());
}

// out[begin..end) = sum of factor^i * (polys[i] - low[i]), by Horner's rule from the last polynomial.
template <class Params>
void fold(std::span<const Coefficients> polys, const Field<Params>& factor, std::span<const Coefficients> low,
          Field<Params>* out, size_t begin, size_t end) {
  using L = Lanes<Params>;
  using F = Field<Params>;
  constexpr size_t TILE = 64;
  constexpr size_t STEPS = TILE / L::WIDTH;
  const auto times = L::factor(factor);
  F some[TILE];

  for (size_t at = begin; at < end; at += TILE) {
    // A tile may end beyond `end`: those are computed, and not stored.
    L sum[STEPS];
    for (L& each : sum) each = L::broadcast(F::zero());
    for (size_t i = polys.size(); i-- > 0;) {
      const F* from = reinterpret_cast<const F*>(polys[i].data) + at;
      if (polys[i].n < at + TILE) {
        padded(some, TILE, polys[i], at);
        from = some;
      }
      for (size_t k = 0; k < STEPS; ++k) sum[k] = sum[k] * times + L::load(from + k * L::WIDTH);
      if (low.empty() || low[i].n <= at) continue;
      padded(some, TILE, low[i], at);
      for (size_t k = 0; k < STEPS; ++k) sum[k] = sum[k] - L::load(some + k * L::WIDTH);
    }
    for (size_t k = 0; k < STEPS; ++k) sum[k].store(some + k * L::WIDTH);
    std::copy_n(some, std::min(TILE, end - at), out + at);
  }
}

}  // namespace zka::ZKA_ISA
