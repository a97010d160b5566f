// The terms of each window by their buckets, and the buckets by how much there is to do for them: counting sorts.
#pragma once
#include "cpu/msm/digits.h"
#include "gpu/grid/together.h"
#include "gpu/msm/windows.h"

namespace zka::gpu {

// visit(window of the group, where its bucket is or NONE_OF_THEM, negative) for each window of a thread's term. Whole
// warps come here.
template <class Thread, class Visit>
ZKA_HD void each_digit(Thread& thread, const Windows& windows, const Visit& visit) {
  const uint64_t i = thread.index();
  const bool any = i < windows.count();
  const unsigned limbs = windows.split.limbs();
  const uint64_t* const part = windows.parts + (uint64_t{thread.row()} * windows.count() + (any ? i : 0)) * limbs;
  for (unsigned w = 0; w < windows.windows; ++w) {
    const Digit digit = Digits(limbs, windows.first + w, windows.bits).of(part);
    const uint32_t slot = windows.slot(thread.row(), w);
    const bool counts = any && digit.bucket != 0;
    visit(slot, counts ? windows.first_bucket(slot) + digit.bucket - 1 : NONE_OF_THEM, digit.negative);
  }
}

struct CountEntries {
  Windows windows;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    each_digit(thread, windows, [&](uint32_t, uint32_t bucket, bool) { count_one(thread, windows.sizes, bucket); });
  }
};

// A block a slot: where its buckets begin, and the full items before them. Each thread has a piece of the buckets.
struct ScanBuckets {
  Windows windows;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint32_t slot = thread.block(), buckets = windows.buckets();
    const uint32_t piece = (buckets + thread.threads() - 1) / thread.threads();
    const uint32_t begin = thread.thread() * piece < buckets ? thread.thread() * piece : buckets;
    const uint32_t end = begin + piece < buckets ? begin + piece : buckets;
    const uint32_t first = windows.first_bucket(slot);
    uint64_t both = 0;  // entries, and items * 2^32
    uint32_t used = 0;
    for (uint32_t b = begin; b < end; ++b) {
      both += uint64_t{windows.whole_items(first + b)} << 32 | windows.sizes[first + b];
      if (windows.sizes[first + b] != 0) used = b + 1;
    }
    const Sums sums = sums_of(thread, thread.template shared<uint64_t>(), both);
    const bool has_last = static_cast<uint32_t>(both) != 0 &&
                          static_cast<uint32_t>(sums.before + both) == static_cast<uint32_t>(sums.all);
    if (has_last) windows.used[slot] = used;
    if (thread.thread() == 0) windows.items[slot] = static_cast<uint32_t>(sums.all >> 32);
    both = sums.before;
    for (uint32_t b = begin; b < end; ++b) {
      windows.ends[first + b] = static_cast<uint32_t>(both);
      windows.items_before[first + b] = static_cast<uint32_t>(both >> 32);
      both += uint64_t{windows.whole_items(first + b)} << 32 | windows.sizes[first + b];
      // Those without a rest come last, however many they are; most are, where scalars are small.
      const uint32_t rest = windows.rest(first + b);
      if (rest != 0) thread.atomic_add(&windows.rests[rest], uint32_t{1});
    }
  }
};

struct PlaceEntries {
  Windows windows;
  uint32_t stride;  // of the points of a part

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    const uint32_t point = static_cast<uint32_t>(i / windows.n * stride + i % windows.n);
    each_digit(thread, windows, [&](uint32_t slot, uint32_t bucket, bool negative) {
      const uint32_t at = count_one(thread, windows.ends, bucket);
      if (bucket == NONE_OF_THEM) return;
      windows.entries[uint64_t{slot} * windows.count() + at] = negative ? point | NEGATIVE : point;
    });
  }
};

// One block with a thread for each length of a rest: where those begin that are as long, the longest first.
struct ScanRests {
  uint32_t* rests;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    uint32_t& own = rests[thread.threads() - 1 - thread.thread()];
    own = static_cast<uint32_t>(sums_of(thread, thread.template shared<uint64_t>(), own).before);
  }
};

struct OrderBuckets {
  Windows windows;
  uint32_t all;  // buckets of all slots

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const auto bucket = static_cast<uint32_t>(thread.index());
    const uint32_t at = count_one(thread, windows.rests, bucket < all ? windows.rest(bucket) : NONE_OF_THEM);
    if (bucket < all) windows.order[at] = bucket;
  }
};

}  // namespace zka::gpu
