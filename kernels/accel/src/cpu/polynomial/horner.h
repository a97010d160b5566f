// A polynomial at a point.
#pragma once
#include <cstddef>

#include "cpu/lanes.h"

namespace zka::ZKA_ISA {

// sum of c[i] * x^i over i < n. One chain of multiply-adds would wait for each product; here CHAINS vectors of lanes go
// side by side, each over every step-th coefficient, by the power x^step.
template <class Params>
Field<Params> horner(const Field<Params>* c, size_t n, const Field<Params>& x) {
  using L = Lanes<Params>;
  using F = Field<Params>;
  constexpr size_t CHAINS = 4;
  constexpr size_t STEP = CHAINS * L::WIDTH;

  const size_t full = n / STEP * STEP;
  F sum = F::zero();
  for (size_t i = n; i-- > full;) sum = sum * x + c[i];
  if (full == 0) return sum;

  const auto power = L::factor(x.pow(uint64_t{STEP}));
  L chains[CHAINS];
  for (size_t k = 0; k < CHAINS; ++k) chains[k] = L::load(c + full - STEP + k * L::WIDTH);
  for (size_t at = full - STEP; at > 0;) {
    at -= STEP;
    for (size_t k = 0; k < CHAINS; ++k) chains[k] = chains[k] * power + L::load(c + at + k * L::WIDTH);
  }
  F parts[STEP];
  for (size_t k = 0; k < CHAINS; ++k) chains[k].store(parts + k * L::WIDTH);
  F first = F::zero();
  for (size_t i = STEP; i-- > 0;) first = first * x + parts[i];
  return n == full ? first : first + sum * x.pow(uint64_t{full});
}

}  // namespace zka::ZKA_ISA
