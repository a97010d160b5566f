// Places in reversed order.
#pragma once
#include <cstdint>

namespace zka::cpu {

// i, which is below 2^bits, with its bits reversed.
inline uint64_t reversed(uint64_t i, unsigned bits) {
  uint64_t out = 0;
  for (unsigned bit = 0; bit < bits; ++bit) out |= ((i >> bit) & 1) << (bits - 1 - bit);
  return out;
}

}  // namespace zka::cpu
