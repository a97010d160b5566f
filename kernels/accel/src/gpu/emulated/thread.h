// A thread of an emulated grid: what gpu/grid/launch.h says, by its block.
#pragma once
#include <cstring>
#include <type_traits>

#include "gpu/emulated/block.h"

namespace zka::gpu::emulated {

class Thread {
 public:
  Thread(Block& of, uint32_t number) : block_(of), number_(number) {}

  uint32_t thread() const { return number_; }
  uint32_t threads() const { return block_.shape().threads; }
  uint32_t block() const { return static_cast<uint32_t>(block_.block()); }
  uint32_t blocks() const { return static_cast<uint32_t>(block_.shape().blocks); }
  uint32_t row() const { return static_cast<uint32_t>(block_.row()); }
  uint64_t index() const { return uint64_t{block()} * threads() + number_; }
  uint64_t count() const { return uint64_t{blocks()} * threads(); }
  uint32_t lane() const { return number_ % WARP; }
  uint32_t warp() const { return number_ / WARP; }

  template <class T>
  T* shared(uint32_t first_byte = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<T*>(block_.shared(first_byte));
  }

  void require(bool holds, const char* words) {
    if (!holds) throw Failure(ZKA_E_INTERNAL, words);
  }
  void sync_block() { block_.wait_for_block(number_); }
  void sync_warp() { block_.exchange(number_, nullptr, 0); }

  template <class T>
  T shuffle(const T& value, uint32_t lane) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= Block::GIFT_BYTES);
    const Block::Gifts& gifts = block_.exchange(number_, &value, sizeof value);
    T taken;
    std::memcpy(&taken, gifts[lane % WARP].data(), sizeof taken);
    return taken;
  }
  template <class T>
  T shuffle_xor(const T& value, uint32_t distance) {
    return shuffle(value, lane() ^ distance);
  }
  template <class T>
  T shuffle_up(const T& value, uint32_t distance) {
    return shuffle(value, lane() < distance ? lane() : lane() - distance);
  }
  template <class T>
  T shuffle_down(const T& value, uint32_t distance) {
    return shuffle(value, lane() + distance >= WARP ? lane() : lane() + distance);
  }
  uint32_t ballot(bool predicate) {
    const Block::Gifts& gifts = block_.exchange(number_, &predicate, sizeof predicate);
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < WARP; ++lane) bits |= static_cast<uint32_t>(gifts[lane][0]) << lane;
    return bits;
  }

  // Grids of several streams run side by side, as on a device.
  template <class T>
  T atomic_add(T* at, T value) {
    return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
  }
  template <class T>
  T atomic_min(T* at, T value) {
    T before = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (value < before && !__atomic_compare_exchange_n(at, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return before;
  }

 private:
  Block& block_;
  uint32_t number_;
};

}  // namespace zka::gpu::emulated
