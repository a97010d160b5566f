// The interpreter, compiled for each set of instructions.
#pragma once
#include <cstddef>
#include <span>

#include "cpu/dispatch.h"
#include "zkaccel/quotient.h"

namespace zka::cpu {

// One evaluation; its rows are worked on in tiles.
struct QuotientRun {
  static constexpr size_t TILE = 64;

  std::span<const zka_insn> code;
  uint32_t nregisters;
  zka_field field;
  const zka_fe* consts;
  const zka_fe* const* columns;
  const zka_fe* challenges;
  uint64_t rotation_scale;
  size_t n;
  zka_fe* out;
};

}  // namespace zka::cpu

#define ZKA_DECLARE(isa)                                                                                      \
  namespace zka::isa {                                                                                        \
  /* What a thread needs for its registers, a multiple of 64. */                                              \
  size_t quotient_scratch_bytes(uint32_t nregisters);                                                         \
  /* Rows from `begin`, a multiple of TILE, to `end`. `scratch` is aligned to 64. */                          \
  void quotient_rows(const cpu::QuotientRun& run, void* scratch, size_t begin, size_t end);                   \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE
