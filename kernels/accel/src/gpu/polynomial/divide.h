// Division by X - root. The quotient's coefficients are the values of Horner's rule on its way down, so a strip of
// coefficients needs the value with which it begins: that of all strips above. These values are the quotient of another
// division, that of the strips' own values by X - root^STRIP, which is shorter by STRIP.
#pragma once
#include "gpu/field/field.h"
#include "gpu/grid/launch.h"

namespace zka::gpu {

constexpr uint32_t LOG_STRIP = 3;
constexpr uint32_t STRIP = 1 << LOG_STRIP;  // of a thread
constexpr uint32_t DIVIDE_THREADS = 128;
constexpr uint32_t DIVIDE_TILE = DIVIDE_THREADS * STRIP;

// A block's coefficients in shared memory: read and written by adjacent threads side by side, used strip by strip. Between
// strips are 16 bytes, or those of eight threads would be in the same banks.
template <class F>
class StripTile {
 public:
  static constexpr uint32_t STRIP_BYTES = STRIP * sizeof(F) + 16;
  static constexpr uint32_t BYTES = DIVIDE_THREADS * STRIP_BYTES;

  // Of n coefficients from c, those of the thread's block, and zeros after their end. Met.
  template <class Thread>
  ZKA_HD StripTile(Thread& thread, const F* c, uint64_t n)
      : bytes_(thread.template shared<unsigned char>()), begin_(uint64_t{thread.block()} * DIVIDE_TILE) {
    ZKA_ROLLED
    for (uint32_t i = thread.thread(); i < DIVIDE_TILE; i += DIVIDE_THREADS) {
      strip(i / STRIP)[i % STRIP] = begin_ + i < n ? c[begin_ + i] : F::zero();
    }
    thread.sync_block();
  }
  ZKA_HD F* strip(uint32_t number) const { return reinterpret_cast<F*>(bytes_ + number * STRIP_BYTES); }
  // Meets, and stores what the strips hold now.
  template <class Thread>
  ZKA_HD void store(Thread& thread, F* c, uint64_t n) const {
    thread.sync_block();
    ZKA_ROLLED
    for (uint32_t i = thread.thread(); i < DIVIDE_TILE; i += DIVIDE_THREADS) {
      if (begin_ + i < n) c[begin_ + i] = strip(i / STRIP)[i % STRIP];
    }
  }

 private:
  unsigned char* bytes_;
  uint64_t begin_;
};

template <class F>
Shape divide_shape(uint64_t n) {
  const uint64_t blocks = n / DIVIDE_TILE + (n % DIVIDE_TILE != 0);
  return {.blocks = blocks == 0 ? 1 : blocks,
          .threads = DIVIDE_THREADS,
          .shared_bytes = static_cast<uint32_t>(StripTile<F>::BYTES + DIVIDE_THREADS * sizeof(F))};
}

// A strip at `root`.
template <class F>
ZKA_HD F value_of_strip(const F* strip, const F& root) {
  F sum = strip[STRIP - 1];
  ZKA_ROLLED
  for (uint32_t i = STRIP - 1; i-- > 0;) sum = sum * root + strip[i];
  return sum;
}

// values[strip] of all strips.
template <class F>
struct ValuesOfStrips {
  static constexpr uint32_t THREADS_MAX = DIVIDE_THREADS;
  const F* c;
  uint64_t n;
  F root;
  F* values;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const StripTile<F> tile(thread, c, n);
    const F value = value_of_strip(tile.strip(thread.thread()), root);
    if (thread.index() * STRIP < n) values[thread.index()] = value;
  }
};

// A block's: sum of the values of the threads after this one, the k-th of them times power^k. `shared` has room for
// one of each thread. [Hillis, Steele, "Data parallel algorithms", 1986]
template <class F, class Thread>
ZKA_HD F value_after(Thread& thread, F* shared, const F& value, F power) {
  const uint32_t own = thread.thread();
  F sum = value;
  ZKA_ROLLED
  for (uint32_t distance = 1;; distance *= 2) {
    shared[own] = sum;
    thread.sync_block();
    if (distance >= DIVIDE_THREADS) return own + 1 < DIVIDE_THREADS ? shared[own + 1] : F::zero();
    if (own + distance < DIVIDE_THREADS) sum += power * shared[own + distance];
    power = power.square();
    thread.sync_block();
  }
}

// The quotient in place of c, its top coefficient 0.
template <class F>
struct DivideStrips {
  static constexpr uint32_t THREADS_MAX = DIVIDE_THREADS;
  F* c;
  uint64_t n;
  F root;
  const F* carries;  // with which each strip begins; null for one block, which finds them itself
  F* remainder;      // may be null

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const StripTile<F> tile(thread, c, n);
    F* const strip = tile.strip(thread.thread());
    F carry = F::zero();
    if (carries == nullptr) {
      F* const shared = thread.template shared<F>(StripTile<F>::BYTES);
      carry = value_after(thread, shared, value_of_strip(strip, root), root.squared(LOG_STRIP));
    } else if (thread.index() * STRIP < n) {
      carry = carries[thread.index()];
    }
    ZKA_ROLLED
    for (uint32_t i = STRIP; i-- > 0;) {
      const F next = strip[i] + root * carry;
      strip[i] = carry.canonical();
      carry = next;
    }
    if (remainder != nullptr && thread.index() == 0) *remainder = carry.canonical();
    tile.store(thread, c, n);
  }
};

// Scratch elements for dividing n coefficients.
constexpr uint64_t divide_scratch(uint64_t n) {
  uint64_t all = 0;
  for (; n > DIVIDE_TILE; all += n) n = n / STRIP + (n % STRIP != 0);
  return all;
}

template <class F>
void divide_by_root(DeviceQueue& queue, F* c, uint64_t n, const F& root, F* scratch, F* remainder) {
  const Shape shape = divide_shape<F>(n);
  const bool one_block = n <= DIVIDE_TILE;
  if (!one_block) {
    const uint64_t strips = n / STRIP + (n % STRIP != 0);
    launch(queue, shape, ValuesOfStrips<F>{c, n, root, scratch});
    divide_by_root<F>(queue, scratch, strips, root.squared(LOG_STRIP), scratch + strips, nullptr);
  }
  launch(queue, shape, DivideStrips<F>{c, n, root, one_block ? nullptr : scratch, remainder});
}

}  // namespace zka::gpu
