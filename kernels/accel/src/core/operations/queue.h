// What all operations share.
#pragma once
#include <cstdint>

#include "core/job.h"

namespace zka {

// The order of a stream's operations. The CPU's are done when their call returns.
class Queue {
 public:
  explicit Queue(const Cancel& cancel) : cancel_(cancel) {}
  virtual ~Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  const Cancel& cancel() const noexcept { return cancel_; }
  // Waits for all that was queued; throws the first failure among it.
  virtual void sync() {}

 private:
  const Cancel& cancel_;
};

// What a backend keeps behind a handle: bases, twiddles, a program.
class Prepared {
 public:
  virtual ~Prepared() = default;
};

// The memory that a call takes in addition to its arguments and results.
struct Bytes {
  uint64_t host = 0, device = 0;
};

}  // namespace zka
