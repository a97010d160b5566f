// Element-wise loops, compiled for each set of instructions. All in Montgomery form; outputs may be inputs.
#pragma once
#include <cstddef>

#include "cpu/dispatch.h"
#include "zkaccel/vector.h"

#define ZKA_DECLARE(isa)                                                                                          \
  namespace zka::isa {                                                                                            \
  void vector_apply(zka_field field, zka_vector_op op, const zka_fe* a, const zka_fe* b, zka_fe* out, size_t n);  \
  /* b may be null. */                                                                                            \
  void vector_scale_add(zka_field field, const zka_fe& factor, const zka_fe* a, const zka_fe* b, zka_fe* out,     \
                        size_t n);                                                                                \
  /* out[i] = start * base^(first + i). */                                                                        \
  void vector_powers(zka_field field, const zka_fe& start, const zka_fe& base, size_t first, zka_fe* out, size_t n); \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE
