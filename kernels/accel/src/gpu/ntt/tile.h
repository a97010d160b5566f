// The elements that a block works on, in its shared memory.
#pragma once
#include "gpu/field/field.h"

namespace zka::gpu {

// Elements are in two halves, and where bits above move those below: so adjacent threads access different banks, which
// are 128 bytes wide, in short strides too.
class Tile {
 public:
  struct alignas(16) Half {
    uint32_t w[4];
  };

  ZKA_HD Tile(Half* halves, uint32_t size) : low_(halves), high_(halves + size) {}

  ZKA_HD Fr get(uint32_t i) const {
    const Half low = low_[slot(i)], high = high_[slot(i)];
    return {{{low.w[0], low.w[1], low.w[2], low.w[3], high.w[0], high.w[1], high.w[2], high.w[3]}}};
  }
  ZKA_HD void put(uint32_t i, const Fr& x) const {
    const uint32_t(&w)[8] = x.l.w;
    low_[slot(i)] = {{w[0], w[1], w[2], w[3]}};
    high_[slot(i)] = {{w[4], w[5], w[6], w[7]}};
  }

 private:
  ZKA_HD static uint32_t slot(uint32_t i) { return i ^ (i >> 3 & 3) << 1; }

  Half* low_;
  Half* high_;
};

}  // namespace zka::gpu
