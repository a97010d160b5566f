// What an operation of the CPU backend works with.
#pragma once
#include <atomic>

#include "core/failure.h"
#include "core/memory.h"
#include "core/pool.h"

namespace zka {

enum class Isa { portable, adx, ifma };

// Set from any thread; an operation looks now and then.
class Cancel {
 public:
  void cancel() noexcept { cancelled_ = true; }
  void clear() noexcept { cancelled_ = false; }
  void check() const {
    if (cancelled_) throw Failure(ZKA_E_CANCELLED, "the stream was cancelled");
  }

 private:
  std::atomic<bool> cancelled_{false};
};

struct Job {
  Memory& memory;
  Pool& pool;
  const Cancel& cancel;
  Isa isa;
};

}  // namespace zka
