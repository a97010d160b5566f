// The sums of buckets. Full items come first: adjacent threads then have the same number of points to add. What is
// left of each bucket follows in the order of its length, so that the threads of a warp end at about the same time, and in
// the same launch, so that few items leave no processor without work; last, the items of each bucket are added up, by a
// thread where they are few and else by a block. So a bucket that has nearly all points is the work of many.
#pragma once
#include "ec/curve.h"
#include "ec/xyzz.h"
#include "gpu/grid/together.h"
#include "gpu/msm/windows.h"

namespace zka::gpu {

template <class C>
struct Accumulation {
  using Sum = Xyzz<typename C::Base>;

  Windows windows;
  const typename C::Point* points;
  Sum* item_sums;    // [slot][item]
  Sum* bucket_sums;  // [slot][bucket]

  ZKA_HD Sum sum(const uint32_t* entries, uint32_t count) const {
    Sum all = Sum::identity();
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t entry = entries[i];
      const typename C::Point point = points[entry & ~NEGATIVE];
      all = all + ((entry & NEGATIVE) != 0 ? -point : point);
    }
    return all;
  }
  ZKA_HD const uint32_t* entries(uint32_t slot, uint32_t bucket) const {
    return windows.entries + windows.first_entry(slot) + (windows.ends[bucket] - windows.sizes[bucket]);
  }
  // The bucket, among all slots', that has a slot's item: the last with no more items before it.
  ZKA_HD uint32_t bucket_of(uint32_t slot, uint32_t item) const {
    const uint32_t first = windows.first_bucket(slot);
    uint32_t low = 0, high = windows.used[slot];
    while (high - low > 1) {
      const uint32_t middle = low + (high - low) / 2;
      (windows.items_before[first + middle] <= item ? low : high) = middle;
    }
    return first + low;
  }
};

// A thread an item, and behind those a thread a rest.
template <class C>
struct SumEntries {
  static constexpr uint32_t THREADS_MAX = 128;
  Accumulation<C> of;
  uint64_t items;    // of all slots, at most
  uint32_t buckets;  // of all slots

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i < items) {
      const uint32_t each = of.windows.items_max();
      sum_item(static_cast<uint32_t>(i / each), static_cast<uint32_t>(i % each));
    } else if (i - items < buckets) {
      sum_rest(of.windows.order[i - items]);
    }
  }

 private:
  ZKA_HD void sum_item(uint32_t slot, uint32_t item) const {
    if (item >= of.windows.items[slot]) return;
    const uint32_t bucket = of.bucket_of(slot, item), length = uint32_t{1} << of.windows.log_item;
    const uint32_t* const entries = of.entries(slot, bucket) + (item - of.windows.items_before[bucket]) * length;
    of.item_sums[uint64_t{slot} * of.windows.items_max() + item] = of.sum(entries, length);
  }
  ZKA_HD void sum_rest(uint32_t bucket) const {
    const uint32_t slot = bucket >> (of.windows.bits - 1), length = of.windows.rest(bucket);
    of.bucket_sums[bucket] = of.sum(of.entries(slot, bucket) + (of.windows.sizes[bucket] - length), length);
  }
};

// Items of a bucket that one thread adds up, at most.
inline constexpr uint32_t FEW_ITEMS = 32;

// A row a slot, a thread an item: that of a bucket's first adds up all, where they are few.
template <class C>
struct AddFewItems {
  static constexpr uint32_t THREADS_MAX = 128;
  Accumulation<C> of;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const Windows& windows = of.windows;
    const uint32_t slot = thread.row();
    const auto first = static_cast<uint32_t>(thread.index());
    if (first >= windows.items[slot]) return;
    const uint32_t bucket = of.bucket_of(slot, first), count = windows.whole_items(bucket);
    if (windows.items_before[bucket] != first || count > FEW_ITEMS) return;
    const auto* const items = of.item_sums + uint64_t{slot} * windows.items_max() + first;
    auto sum = of.bucket_sums[bucket];
    for (uint32_t i = 0; i < count; ++i) sum = sum + items[i];
    of.bucket_sums[bucket] = sum;
  }
};

// A row a slot; each block takes the buckets that have many items in turn, by their first item.
template <class C>
struct AddManyItems {
  static constexpr uint32_t THREADS_MAX = 128;
  Accumulation<C> of;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    using Sum = typename Accumulation<C>::Sum;
    const Windows& windows = of.windows;
    const uint32_t slot = thread.row();
    const Sum* const items = of.item_sums + uint64_t{slot} * windows.items_max();
    for (uint32_t first = thread.block(); first < windows.items[slot]; first += thread.blocks()) {
      const uint32_t bucket = of.bucket_of(slot, first);
      if (windows.items_before[bucket] != first || windows.whole_items(bucket) <= FEW_ITEMS) continue;
      Sum sum = Sum::identity();
      for (uint32_t i = thread.thread(); i < windows.whole_items(bucket); i += thread.threads()) {
        sum = sum + items[first + i];
      }
      sum = sum_of_all(thread, thread.template shared<Sum>(), sum);
      if (thread.thread() == 0) of.bucket_sums[bucket] = of.bucket_sums[bucket] + sum;
    }
  }
};

}  // namespace zka::gpu
