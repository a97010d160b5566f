// What an operation of the CPU backend works with.
#pragma once
#include <atomic>

#include "core/failure.h"
#include "core/memory.h"
#include "core/pool.h"

namespace zka {

enum class Isa { portable, adx, ifma };

// Set from any thread; an operation looks now and then, from any of its threads.
class Cancel {
 public:
  Cancel() = default;
  virtual ~Cancel() = default;
  Cancel(const Cancel&) = delete;
  Cancel& operator=(const Cancel&) = delete;

  void cancel() noexcept { cancelled_ = true; }
  void clear() noexcept { cancelled_ = false; }
  void check() const {
    if (is_set()) throw Failure(ZKA_E_CANCELLED, "the stream was cancelled");
  }

 protected:
  virtual bool is_set() const noexcept { return cancelled_; }

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
