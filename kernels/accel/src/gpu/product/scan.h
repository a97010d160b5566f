// Products along the threads of a block. [Blelloch, "Prefix sums and their applications", 1990; by halves of a warp:
// Hillis, Steele, "Data parallel algorithms", 1986]
#pragma once
#include <cstdint>

#include "gpu/grid/shape.h"

namespace zka::gpu {

// Where along a block a product begins.
enum class From { first, last };

// The product of the values of all threads before this one, or, from the last one on, after it. All threads of the block
// call it; `warps` is shared memory for a value of each warp, free again when all have met once more.
template <From from, class F, class Thread>
ZKA_HD F product_before(Thread& thread, const F& value, F* warps) {
  const uint32_t lane = from == From::first ? thread.lane() : WARP - 1 - thread.lane();
  const auto shift = [&](const F& mine, uint32_t distance) {
    return from == From::first ? thread.shuffle_up(mine, distance) : thread.shuffle_down(mine, distance);
  };
  F through = value;
  ZKA_ROLLED
  for (uint32_t distance = 1; distance < WARP; distance *= 2) {
    const F before = shift(through, distance);
    if (lane >= distance) through *= before;
  }
  const F before = shift(through, 1);
  F product = lane == 0 ? F::one() : before;
  if (lane == WARP - 1) warps[thread.warp()] = through;
  thread.sync_block();
  const uint32_t n = thread.threads() / WARP;
  ZKA_ROLLED
  for (uint32_t warp = from == From::first ? 0 : thread.warp() + 1; warp < (from == From::first ? thread.warp() : n);
       ++warp) {
    product *= warps[warp];
  }
  return product;
}

}  // namespace zka::gpu
