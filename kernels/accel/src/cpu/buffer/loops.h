// Elements in and out, compiled for each set of instructions.
#pragma once
#include <cstddef>

#include "cpu/dispatch.h"
#include "zkaccel/buffer.h"

#define ZKA_DECLARE(isa)                                                                                       \
  namespace zka::isa {                                                                                         \
  /* Into Montgomery form. Returns how many: fewer than n, and the one after them is not below the modulus. */ \
  size_t import_elements(zka_field field, zka_fe* to, const zka_fe* from, size_t n, zka_form form);            \
  void export_elements(zka_field field, const zka_fe* from, zka_fe* to, size_t n, zka_form form);              \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE
