// Hot loops of inverses and running products, over blocks that fit the second cache.
#pragma once
#include <cstddef>
#include <cstdint>

#include "cpu/dispatch.h"
#include "zkaccel/buffer.h"

namespace zka::cpu {

// Elements of a block: one inversion's share.
constexpr size_t PRODUCT_BLOCK = size_t{1} << 14;
// A block is scanned in so many segments side by side, and one for the remainder.
constexpr size_t SEGMENTS = 16;
constexpr size_t SEGMENT_TOTALS = SEGMENTS + 1;

// Bytes that inverting a block of n elements needs, aligned to 64.
constexpr size_t inverse_scratch(Isa isa, size_t n) {
  return (n + SEGMENTS - 1) / SEGMENTS * SEGMENTS * (isa == Isa::ifma ? 40 : 32);
}

}  // namespace zka::cpu

#define ZKA_DECLARE(isa)                                                                                           \
  namespace zka::isa {                                                                                             \
  /* to[i] = 1/from[i], or 0 of 0. They may be the same. */                                                        \
  void invert_block(zka_field field, const zka_fe* from, zka_fe* to, size_t n, void* scratch);                     \
  /* x[i] = product of the num[j] * x[j] of its segment with j <= i; totals[s]: of all of segment s, 1 if empty. */ \
  void scan_block(zka_field field, const zka_fe* num, zka_fe* x, size_t n, zka_fe* totals);                        \
  /* x[i] *= carries[s] for the segment s of i. */                                                                 \
  void carry_block(zka_field field, zka_fe* x, size_t n, const zka_fe* carries);                                   \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE
