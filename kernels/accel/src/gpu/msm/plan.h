// How a multi-scalar multiplication is carried out on a device, and what memory that takes.
#pragma once
#include "gpu/msm/windows.h"

namespace zka::gpu {

struct MsmPlan {
  Split split;
  unsigned bits;      // of a window
  unsigned log_item, log_segment;  // see Windows
  uint32_t n;         // scalars of a column at a time
  uint32_t columns, windows;  // at a time: of several columns all windows, or of one column some

  uint32_t windows_each() const;
  uint32_t slots() const { return columns * windows; }
  uint64_t terms() const { return uint64_t{n} * split.parts; }
  uint64_t buckets() const { return uint64_t{slots()} << (bits - 1); }
  uint64_t items() const { return slots() * (terms() >> log_item); }
  uint64_t segments() const;
  uint64_t segment_blocks() const;

  // All of it, as Device counts it.
  uint64_t bytes() const;
};

// Of n > 0 scalars in each of batch > 0 columns, within `bytes_max` where that can be. Throws Failure SIZE where the points
// cannot be numbered.
MsmPlan plan_msm(const Split& split, size_t n, size_t batch, uint64_t bytes_max);

}  // namespace zka::gpu
