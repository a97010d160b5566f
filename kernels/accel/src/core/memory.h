// All memory of a context comes from here, so that it is counted and bounded.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "core/quota.h"

namespace zka {

class Memory {
 public:
  // 0: no limit.
  explicit Memory(uint64_t bytes_max) : quota_(bytes_max == 0 ? UINT64_MAX : bytes_max) {}

  // Aligned to 64 bytes, not cleared. Throws Failure OOM_HOST.
  void* allocate(uint64_t bytes);
  void deallocate(void* memory, uint64_t bytes) noexcept;

  // The same from elsewhere: what `allocate` returns, counted until `released`. Throws what that throws, too.
  void* allocate_from(uint64_t bytes, const std::function<void*()>& allocate);
  void released(uint64_t bytes) noexcept { quota_.release(bytes); }

  uint64_t bytes_max() const noexcept { return quota_.bytes_max() == UINT64_MAX ? 0 : quota_.bytes_max(); }
  uint64_t bytes() const noexcept { return quota_.bytes(); }
  uint64_t bytes_peak() const noexcept { return quota_.bytes_peak(); }
  // Restarts the peak from what is held now.
  void reset_peak() noexcept { quota_.reset_peak(); }

  // What `allocate` counts for so many elements: exact, so that a plan can add it up. Throws Failure SIZE beyond 2^48.
  static uint64_t counted(uint64_t elements, uint64_t element_bytes);

 private:
  Quota quota_;
};

// An array of plain elements, not cleared.
template <class T>
class Array {
 public:
  Array() = default;
  Array(Memory& memory, uint64_t n)
      : memory_(&memory), n_(n), data_(static_cast<T*>(memory.allocate(Memory::counted(n, sizeof(T))))) {}
  Array(Array&& other) noexcept
      : memory_(other.memory_), n_(std::exchange(other.n_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(n_, other.n_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Array() {
    if (data_ != nullptr) memory_->deallocate(data_, Memory::counted(n_, sizeof(T)));
  }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  uint64_t size() const noexcept { return n_; }
  T& operator[](uint64_t i) noexcept { return data_[i]; }
  const T& operator[](uint64_t i) const noexcept { return data_[i]; }
  std::span<T> span() noexcept { return {data_, n_}; }
  std::span<const T> span() const noexcept { return {data_, n_}; }

 private:
  Memory* memory_ = nullptr;
  uint64_t n_ = 0;
  T* data_ = nullptr;
};

}  // namespace zka
