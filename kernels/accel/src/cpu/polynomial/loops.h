// Horner's rule in three shapes, compiled for each set of instructions.
#pragma once
#include <cstddef>
#include <span>

#include "core/operations/polynomial.h"
#include "cpu/dispatch.h"

#define ZKA_DECLARE(isa)                                                                                        \
  namespace zka::isa {                                                                                          \
  /* sum of c[i] * x^i over i < n. */                                                                           \
  zka_fe poly_horner(zka_field field, const zka_fe* c, size_t n, const zka_fe& x);                              \
  zka_fe poly_power(zka_field field, const zka_fe& x, size_t exponent);                                         \
  /* a * b + c. */                                                                                              \
  zka_fe poly_mul_add(zka_field field, const zka_fe& a, const zka_fe& b, const zka_fe& c);                      \
  /* b = carry, then for i from n - 1 down to 0: c[i], b = b, c[i] + root * b. Returns the last b. */           \
  zka_fe poly_divide(zka_field field, zka_fe* c, size_t n, const zka_fe& root, const zka_fe& carry);            \
  /* The values of poly_streams() pieces of n coefficients each, piece s from c[s * n], to values[s]. */          \
  void poly_horner_streams(zka_field field, const zka_fe* c, size_t n, const zka_fe& x, zka_fe* values);        \
  /* poly_divide of so many pieces at once, piece s with carries[s]. */                                         \
  void poly_divide_streams(zka_field field, zka_fe* c, size_t n, const zka_fe& root, const zka_fe* carries);    \
  size_t poly_streams();                                                                                        \
  /* out[begin..end) of what fold makes; `low` is empty or one a polynomial. */                                 \
  void poly_fold(zka_field field, std::span<const Coefficients> polys, const zka_fe& factor,                    \
                 std::span<const Coefficients> low, zka_fe* out, size_t begin, size_t end);                     \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE
