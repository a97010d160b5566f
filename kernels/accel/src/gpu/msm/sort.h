// The terms of each window by their buckets, and the buckets by how much there is to do for them: counting sorts.
#pragma once
#include "cpu/msm/digits.h"
#include "gpu/grid/together.h"
#include "gpu/msm/windows.h"

namespace zka::gpu {

// A row a slot, a thread a term, here and where they are placed: the blocks of a device then work on few windows at a
// time, whose counters and entries stay in its cache while they are written here and there.

struct CountEntries {
  Windows windows;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint32_t slot = thread.row(), column = slot / windows.windows, window = slot % windows.windows;
    const uint64_t i = thread.index();
    Digit digit{0, false};
    if (i < windows.count()) {
      const unsigned limbs = windows.split.limbs();
      const uint64_t* const part = windows.parts + (uint64_t{column} * windows.count() + i) * limbs;
      digit = Digits(limbs, windows.first + window, windows.bits).of(part);
      windows.digits[windows.first_entry(slot) + i] = digit.negative ? digit.bucket | NEGATIVE : digit.bucket;
    }
    count_one(thread, windows.sizes, digit.bucket == 0 ? NONE_OF_THEM : windows.first_bucket(slot) + digit.bucket - 1);
  }
};

// A block a slot: where its buckets begin, and the full items before them. Each thread has a piece of the buckets.
struct ScanBuckets {
  static constexpr uint32_t THREADS_MAX = 1024;
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
    }
  }
};

struct PlaceEntries {
  Windows windows;
  uint32_t stride;  // of the points of a part

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint32_t slot = thread.row();
    const auto i = static_cast<uint32_t>(thread.index());
    const uint32_t digit = i < windows.count() ? windows.digits[windows.first_entry(slot) + i] : 0;
    const uint32_t bucket = digit & ~NEGATIVE;
    const uint32_t at =
        count_one(thread, windows.ends, bucket == 0 ? NONE_OF_THEM : windows.first_bucket(slot) + bucket - 1);
    if (bucket == 0) return;
    const uint32_t point = i / windows.n * stride + i % windows.n;
    windows.entries[windows.first_entry(slot) + at] = point | (digit & NEGATIVE);
  }
};

// The buckets of all slots that a block counts by their rests in its own memory first: the device's have as many counters
// as there are lengths, which all blocks would wait for.
struct RestsOfBlock {
  static constexpr uint32_t BUCKETS_A_THREAD = 8;
  Windows windows;
  uint32_t all;

  // visit(k, bucket) for the thread's k-th bucket.
  template <class Thread, class Visit>
  ZKA_HD void each(const Thread& thread, const Visit& visit) const {
    const uint32_t begin = thread.block() * thread.threads() * BUCKETS_A_THREAD + thread.thread();
    ZKA_UNROLLED
    for (uint32_t k = 0; k < BUCKETS_A_THREAD; ++k) {
      const uint32_t bucket = begin + k * thread.threads();
      if (bucket < all) visit(k, bucket);
    }
  }
  // Leaves in `counters`, one a length, how many rests of the block are as long; counted(k, how many were before it).
  template <class Thread, class Counted>
  ZKA_HD void count(Thread& thread, uint32_t* counters, const Counted& counted) const {
    const uint32_t lengths = uint32_t{1} << windows.log_item;
    for (uint32_t length = thread.thread(); length < lengths; length += thread.threads()) counters[length] = 0;
    thread.sync_block();
    each(thread, [&](uint32_t k, uint32_t bucket) {
      counted(k, thread.atomic_add(&counters[windows.rest(bucket)], uint32_t{1}));
    });
    thread.sync_block();
  }
};

struct CountRests {
  RestsOfBlock buckets;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    uint32_t* const counters = thread.template shared<uint32_t>();
    buckets.count(thread, counters, [](uint32_t, uint32_t) {});
    const uint32_t lengths = uint32_t{1} << buckets.windows.log_item;
    for (uint32_t length = thread.thread(); length < lengths; length += thread.threads()) {
      if (counters[length] != 0) thread.atomic_add(&buckets.windows.rests[length], counters[length]);
    }
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
  RestsOfBlock buckets;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const Windows& windows = buckets.windows;
    uint32_t* const counters = thread.template shared<uint32_t>();
    uint32_t before[RestsOfBlock::BUCKETS_A_THREAD];
    buckets.count(thread, counters, [&](uint32_t k, uint32_t counted) { before[k] = counted; });
    // From how many a block has of a length to where its first goes.
    const uint32_t lengths = uint32_t{1} << windows.log_item;
    for (uint32_t length = thread.thread(); length < lengths; length += thread.threads()) {
      if (counters[length] != 0) counters[length] = thread.atomic_add(&windows.rests[length], counters[length]);
    }
    thread.sync_block();
    buckets.each(thread, [&](uint32_t k, uint32_t bucket) {
      windows.order[counters[windows.rest(bucket)] + before[k]] = bucket;
    });
  }
};

}  // namespace zka::gpu
