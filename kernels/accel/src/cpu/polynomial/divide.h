// Synthetic division by X - root.
#pragma once
#include <cstddef>

#include "cpu/lanes.h"

namespace zka::ZKA_ISA {

template <class Params>
Field<Params> divide(Field<Params>* c, size_t n, const Field<Params>& root, Field<Params> b) {
  for (size_t i = n; i-- > 0;) {
    const Field<Params> next = c[i] + root * b;
    c[i] = b;
    b = next;
  }
  return b;
}

// Chains side by side, so that none is waited for.
template <class Params>
constexpr size_t CHAINS = Lanes<Params>::WIDTH == 1 ? 4 : 2;
template <class Params>
constexpr size_t STREAMS = CHAINS<Params> * Lanes<Params>::WIDTH;

// The values of the pieces. Each on its own would cost as much at its ends as between, as short as they are.
template <class Params>
void horner_streams(const Field<Params>* c, size_t n, const Field<Params>& root, Field<Params>* values) {
  using L = Lanes<Params>;
  const auto times = L::factor(root);
  L b[CHAINS<Params>];
  for (L& each : b) each = L::broadcast(Field<Params>::zero());
  for (size_t i = n; i-- > 0;) {
    for (size_t k = 0; k < CHAINS<Params>; ++k) b[k] = L::load(c + k * L::WIDTH * n + i, n) + b[k] * times;
  }
  for (size_t k = 0; k < CHAINS<Params>; ++k) b[k].store(values + k * L::WIDTH);
}

template <class Params>
void divide_streams(Field<Params>* c, size_t n, const Field<Params>& root, const Field<Params>* carries) {
  using L = Lanes<Params>;
  const auto times = L::factor(root);
  L b[CHAINS<Params>];
  for (size_t k = 0; k < CHAINS<Params>; ++k) b[k] = L::load(carries + k * L::WIDTH);
  for (size_t i = n; i-- > 0;) {
    for (size_t k = 0; k < CHAINS<Params>; ++k) {
      Field<Params>* const at = c + k * L::WIDTH * n + i;
      const L next = L::load(at, n) + b[k] * times;
      b[k].store(at, n);
      b[k] = next;
    }
  }
}

}  // namespace zka::ZKA_ISA
