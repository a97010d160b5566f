// The hot loop of a transform: eight transforms of one length side by side, one a lane, in a tile that fits a cache.
// transform.h says what they are parts of.
#pragma once
#include <cstddef>
#include <cstdint>

#include "cpu/dispatch.h"
#include "zkaccel/buffer.h"

namespace zka::cpu {

constexpr size_t LANES = 8;

// The offset of an element (row, lane) of a block from its first.
struct Placement {
  size_t row, lane;  // steps in elements
  bool reversed;     // row i is where i with its bits reversed would be
};

struct NttPass {
  unsigned log_rows;
  Placement from, to;
  // Of factors (factors.h): [h + i] is the i-th power of the root of order 2h, for i < h, h = 1, 2, 4 ...
  const uint64_t* twiddles;
  const uint64_t* before;  // a factor for each row, or null
  const uint64_t* after;   // likewise, of the result; null where the block's own powers are used, or nothing
  bool last;               // what it stores is below p; else below 2^256
};

struct NttBlock {
  const zka_fe* from;
  size_t from_length;  // elements that there are from `from` on; those after are zero. Only where from.lane is 1
  zka_fe* to;
  const zka_fe* start;  // of each lane, or null: row i of the result is multiplied by start * ratio^i
  const zka_fe* ratio;
};

// Bytes of a row of the tile.
constexpr size_t row_bytes(Isa isa) { return LANES * (isa == Isa::ifma ? 40 : 32); }

}  // namespace zka::cpu

#define ZKA_DECLARE(isa)                                                                              \
  namespace zka::isa {                                                                                \
  /* `tile` has 2^log_rows rows, aligned to 64. */                                                    \
  void ntt_block(const cpu::NttPass& pass, const cpu::NttBlock& block, void* tile);                   \
  /* v[i] *= table[(first + i) & mask] for i < n; first and mask + 1 are multiples of 8, or n is < 8. */ \
  void scale_periodically(zka_fe* v, const zka_fe* table, size_t mask, size_t first, size_t n);       \
  }
ZKA_EACH_ISA(ZKA_DECLARE)
#undef ZKA_DECLARE
