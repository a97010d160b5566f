// How many passes a transform takes, and what memory.
#pragma once
#include <algorithm>

#include "gpu/ntt/pass.h"

namespace zka::gpu {

class NttPlan {
 public:
  // Columns shorter than this are done side by side, so that they fill a device.
  static constexpr uint64_t ELEMENTS_AT_ONCE = uint64_t{1} << 21;

  // Passes of at most 2^log_rows_max rows, no more than three.
  NttPlan(unsigned log_n, unsigned log_rows_max)
      : log_n_(log_n),
        log_tile_(std::min(log_rows_max, log_n)),
        passes_(std::max(1u, (log_n + log_rows_max - 1) / log_rows_max)) {}

  unsigned log_n() const { return log_n_; }
  uint32_t n() const { return uint32_t{1} << log_n_; }
  unsigned passes() const { return passes_; }
  // As even as can be, the first the longest.
  unsigned log_rows(unsigned pass) const { return (log_n_ + passes_ - 1 - pass) / passes_; }
  unsigned log_columns(unsigned pass) const { return log_tile_ - log_rows(pass); }
  uint32_t batch() const {
    return static_cast<uint32_t>(std::clamp<uint64_t>(ELEMENTS_AT_ONCE >> log_n_, 1, NttPass::BATCH_MAX));
  }
  // In natural order the last pass writes elsewhere than it reads: the passes before it lead to scratch.
  uint64_t scratch() const { return passes_ == 1 ? 0 : uint64_t{batch()} << log_n_; }

 private:
  unsigned log_n_, log_tile_, passes_;
};

}  // namespace zka::gpu
