// How a program is run for many rows, and what memory that takes.
#pragma once
#include <algorithm>
#include <cstdint>

#include "gpu/quotient/interpret.h"

namespace zka::gpu {

struct QuotientLimits {
  // Registers of a thread in shared memory: of 64 threads two thirds of what a block has without asking. With more of them
  // too few blocks would run side by side.
  uint32_t in_shared = 16;
  // Of a launch; between launches a stream looks whether it was cancelled.
  uint64_t rows = uint64_t{1} << 20;
  // Of a launch where registers are spilled: enough to fill a device, and so few that theirs stay in its cache.
  uint64_t spilling_blocks = 1024;
};

struct QuotientPlan {
  uint32_t in_shared, spilled;  // registers of a thread
  uint64_t rows;                // of a launch at most
  uint64_t blocks;              // likewise: where they have fewer threads than rows, each works on several in turn

  uint32_t shared_bytes() const {
    return static_cast<uint32_t>(INTERPRET_THREADS * in_shared * sizeof(zka_fe));
  }
  uint64_t spilled_elements() const { return blocks * INTERPRET_THREADS * spilled; }
  uint64_t blocks_for(uint64_t count) const {
    return std::min(blocks, count / INTERPRET_THREADS + (count % INTERPRET_THREADS != 0));
  }
};

// For n > 0 rows, spilled registers within `bytes_max` where that can be.
QuotientPlan plan_quotient(const QuotientLimits& limits, uint32_t nregisters, uint64_t n, uint64_t bytes_max);

}  // namespace zka::gpu
