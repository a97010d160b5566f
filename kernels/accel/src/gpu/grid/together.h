// What the threads of a warp or a block find out together.
#pragma once
#include <bit>
#include <cstdint>

#include "ff/hd.h"
#include "gpu/grid/shape.h"

namespace zka::gpu {

ZKA_HD inline uint32_t ones_in(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__popc(bits));
#else
  return static_cast<uint32_t>(std::popcount(bits));
#endif
}

// Of a number that is not zero.
ZKA_HD inline uint32_t lowest_one(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__ffs(static_cast<int>(bits))) - 1;
#else
  return static_cast<uint32_t>(std::countr_zero(bits));
#endif
}

// A warp's: adds one to counters[at] for each lane, but where `at` is NONE_OF_THEM, and returns what was there before its
// turn. Lanes that agree with the first are counted at once, so that a counter which all want is no queue.
inline constexpr uint32_t NONE_OF_THEM = UINT32_MAX;
template <class Thread>
ZKA_HD uint32_t count_one(Thread& thread, uint32_t* counters, uint32_t at) {
  const uint32_t asking = thread.ballot(at != NONE_OF_THEM);
  if (asking == 0) return 0;
  const uint32_t first = lowest_one(asking), common = thread.shuffle(at, first);
  const uint32_t agreeing = thread.ballot(at == common);
  uint32_t before = 0;
  if (thread.lane() == first) {
    before = thread.atomic_add(&counters[common], ones_in(agreeing));
  } else if (at != NONE_OF_THEM && at != common) {
    before = thread.atomic_add(&counters[at], uint32_t{1});
  }
  const uint32_t of_first = thread.shuffle(before, first);
  return at == common ? of_first + ones_in(agreeing & ((uint32_t{1} << thread.lane()) - 1)) : before;
}

// A block's: the sums of the values of the threads before this one, and of all. `shared` has room for one of each thread.
struct Sums {
  uint64_t before, all;
};
template <class Thread>
ZKA_HD Sums sums_of(Thread& thread, uint64_t* shared, uint64_t value) {
  const uint32_t own = thread.thread();
  uint64_t sum = value;
  for (uint32_t distance = 1;; distance *= 2) {
    shared[own] = sum;
    thread.sync_block();
    if (distance >= thread.threads()) return {sum - value, shared[thread.threads() - 1]};
    if (own >= distance) sum += shared[own - distance];
    thread.sync_block();
  }
}

// A block's, of a power of two of threads: the sum of all threads' values, for the first. `shared` has room for one of
// each of them.
template <class Thread, class T>
ZKA_HD T sum_of_all(Thread& thread, T* shared, T value) {
  const uint32_t own = thread.thread();
  thread.require((thread.threads() & (thread.threads() - 1)) == 0, "the threads of a sum are no power of two");
  for (uint32_t left = thread.threads() / 2; left > 0; left /= 2) {
    if (own >= left) shared[own] = value;
    thread.sync_block();
    if (own < left) value = value + shared[own + left];
    thread.sync_block();
  }
  return value;
}

}  // namespace zka::gpu
