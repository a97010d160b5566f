// How many threads run a kernel: blocks in a row, and rows of them (columns of a batch, windows of a sum).
#pragma once
#include <cstdint>

#include "core/failure.h"
#include "ff/hd.h"

namespace zka::gpu {

// Threads that step together: their number is the same on every device of CUDA.
constexpr uint32_t WARP = 32;
constexpr uint32_t THREADS_MAX_DEFAULT = 256;
// No block has more.
constexpr uint32_t THREADS_MAX = 1024;
// A row has fewer than 2^31 blocks, and a grid fewer than 2^16 rows.
constexpr uint64_t BLOCKS_MAX = (uint64_t{1} << 31) - 1;
constexpr uint64_t ROWS_MAX = (uint64_t{1} << 16) - 1;

struct Shape {
  uint64_t blocks = 1;
  uint32_t threads = THREADS_MAX_DEFAULT;  // of a block: a multiple of WARP, at most the kernel's THREADS_MAX
  uint64_t rows = 1;
  uint32_t shared_bytes = 0;  // of a block
};

// Blocks of `threads` threads, one thread for each of n elements; none for none.
inline Shape over(uint64_t n, uint32_t threads = THREADS_MAX_DEFAULT) {
  return {.blocks = n / threads + (n % threads != 0), .threads = threads};
}

// The most threads that a block of this kernel may have, so that the compiler knows how many registers each may have:
// its own THREADS_MAX, or the default.
template <class Kernel>
constexpr uint32_t threads_max() {
  if constexpr (requires { Kernel::THREADS_MAX; }) {
    return Kernel::THREADS_MAX;
  } else {
    return THREADS_MAX_DEFAULT;
  }
}

// Throws Failure INTERNAL for a shape that no device takes.
inline void check_shape(const Shape& shape, uint32_t most_threads) {
  const bool whole_warps = shape.threads != 0 && shape.threads % WARP == 0;
  if (!whole_warps || shape.threads > most_threads || shape.blocks > BLOCKS_MAX || shape.rows > ROWS_MAX) {
    throw Failure(ZKA_E_INTERNAL, "no grid has " + std::to_string(shape.rows) + " rows of " +
                                      std::to_string(shape.blocks) + " blocks of " + std::to_string(shape.threads) +
                                      " threads");
  }
}

}  // namespace zka::gpu
