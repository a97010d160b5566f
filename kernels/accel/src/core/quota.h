// Bytes that are held, never more than so many. Counted twice: what is reserved bounds what may be reserved, so that a
// rejected request never takes room from another; what is held makes the peak, so that failed requests are not in it.
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
  uint64_t bytes_left() const noexcept { return bytes_max_ - reserved_; }
  // Restarts the peak from what is held now.
  void reset_peak() noexcept { peak_ = held_.load(); }

  // What `source` returns, counted where it is not null, until `release`. Throws what
  // `source` throws, and what `refuse` does where so many bytes do not fit: that is called then, and throws.
  template <class Allocate, class Refuse>
  void* allocate(uint64_t bytes, const Allocate& source, const Refuse& refuse) {
    if (!reserve(bytes)) refuse();
    void* memory = nullptr;
    try {
      memory = source();
    } catch (...) {
      reserved_ -= bytes;
      throw;
    }
    if (memory == nullptr) {
      reserved_ -= bytes;
      return nullptr;
    }
    const uint64_t now = held_ += bytes;
    uint64_t peak = peak_;
    while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
    }
    return memory;
  }
  void release(uint64_t bytes) noexcept {
    held_ -= bytes;
    reserved_ -= bytes;
  }

 private:
  // Adds only what fits: another thread never sees bytes that are rejected.
  bool reserve(uint64_t bytes) noexcept {
    uint64_t now = reserved_;
    do {
      if (bytes > bytes_max_ - now) return false;
    } while (!reserved_.compare_exchange_weak(now, now + bytes));
    return true;
  }

  const uint64_t bytes_max_;
  std::atomic<uint64_t> reserved_{0}, held_{0}, peak_{0};
};

}  // namespace zka
