// Where the elements of a pass are. A pass makes transforms of 2^log_rows rows; each is a column of the tile of a block.
#pragma once
#include <cstdint>

#include "ff/hd.h"

namespace zka::gpu {

// The lowest `bits` bits of i, the first become the last.
ZKA_HD inline uint32_t reversed(uint32_t i, unsigned bits) {
#if defined(__CUDA_ARCH__)
  return bits == 0 ? 0 : __brev(i) >> (32 - bits);
#else
  uint32_t out = 0;
  for (unsigned bit = 0; bit < bits; ++bit) out |= ((i >> bit) & 1) << (bits - 1 - bit);
  return out;
#endif
}

ZKA_HD inline uint32_t lowest(uint32_t i, unsigned bits) { return i & ((uint32_t{1} << bits) - 1); }

struct Cell {
  uint32_t row, column;
};

// The index of (row, column) has the row's bits in the midst of the column's, above the lowest `below` of those.
struct Layout {
  unsigned below;
  bool reversed;  // rows, as all the array, are in the order of reversed bits

  ZKA_HD uint32_t index(Cell cell, unsigned log_rows) const {
    return cell.column >> below << (below + log_rows) | cell.row << below | lowest(cell.column, below);
  }
  // The e-th of a tile: adjacent ones of the array come one after the other.
  ZKA_HD Cell cell(uint32_t e, unsigned log_rows, unsigned log_columns) const {
    return below == 0 ? Cell{lowest(e, log_rows), e >> log_rows} : Cell{e >> log_columns, lowest(e, log_columns)};
  }
};

}  // namespace zka::gpu
