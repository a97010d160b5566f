// Bytes that are held, never more than so many. Counted twice: what was asked for bounds what may be asked for, so that
// nothing that is refused is ever in anybody's way; what is there makes the peak, so that it tells nothing that was not to
// be had.
#pragma once
#include <atomic>
#include <cstdint>

namespace zka {

class Quota {
 public:
  explicit Quota(uint64_t bytes_max) : bytes_max_(bytes_max) {}
  Quota(const Quota&) = delete;
  Quota& operator=(const Quota&) = delete;

  uint64_t bytes() const noexcept { return held_; }
  uint64_t bytes_peak() const noexcept { return peak_; }
  uint64_t bytes_max() const noexcept { return bytes_max_; }
  uint64_t bytes_left() const noexcept { return bytes_max_ - asked_; }
  // From now on: the peak counts anew.
  void reset_peak() noexcept { peak_ = held_.load(); }

  // What `allocate` answers, counted where it is not null; given back by `give_back` when it is no more. Throws what
  // `allocate` throws, and what `refuse` does where so many bytes do not fit: that is called then, and throws.
  template <class Allocate, class Refuse>
  void* take(uint64_t bytes, const Allocate& allocate, const Refuse& refuse) {
    if (!ask(bytes)) refuse();
    void* memory = nullptr;
    try {
      memory = allocate();
    } catch (...) {
      asked_ -= bytes;
      throw;
    }
    if (memory == nullptr) {
      asked_ -= bytes;
      return nullptr;
    }
    const uint64_t now = held_ += bytes;
    uint64_t peak = peak_;
    while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
    }
    return memory;
  }
  void give_back(uint64_t bytes) noexcept {
    held_ -= bytes;
    asked_ -= bytes;
  }

 private:
  // Adds only what fits: another thread never sees bytes that are refused.
  bool ask(uint64_t bytes) noexcept {
    uint64_t now = asked_;
    do {
      if (bytes > bytes_max_ - now) return false;
    } while (!asked_.compare_exchange_weak(now, now + bytes));
    return true;
  }

  const uint64_t bytes_max_;
  std::atomic<uint64_t> asked_{0}, held_{0}, peak_{0};
};

}  // namespace zka
