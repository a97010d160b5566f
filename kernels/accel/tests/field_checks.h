// What field_test.cc checks of the scalar fields of each set of instructions. It is compiled for these, so no test stands
// there: tests are registered before anything can check whether the CPU has the instructions. Each returns how many results
// were wrong.
#pragma once
#include <cstddef>

#include "cpu/dispatch.h"
#include "zkaccel/buffer.h"

#define ZKA_DECLARE(isa)                               \
  namespace zka::isa {                                 \
  size_t wrong_sums_and_products(zka_field field);     \
  size_t wrong_products_by_constants(zka_field field); \
  size_t wrong_inverses(zka_field field);              \
  size_t wrong_selections(zka_field field);            \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE
