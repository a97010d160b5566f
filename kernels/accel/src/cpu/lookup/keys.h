// Rows to keys and back, compiled for each set of instructions.
#pragma once
#include <cstddef>

#include "cpu/dispatch.h"
#include "cpu/lookup/key.h"

#define ZKA_DECLARE(isa)                                                                     \
  namespace zka::isa {                                                                       \
  void lookup_keys(zka_field field, const zka_fe* rows, cpu::Key* keys, size_t n);           \
  void lookup_rows(zka_field field, const cpu::Key* keys, zka_fe* rows, size_t n);           \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE
