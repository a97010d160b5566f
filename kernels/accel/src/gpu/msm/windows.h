// The windows of a multi-scalar multiplication that are under way at a time, as kernels see them. cpu/msm/terms.h says
// what parts, windows and buckets are; here the points of a bucket are added one by one, by one thread where they are few
// and else by one thread for each 2^log_item of them.
#pragma once
#include "cpu/msm/terms.h"
#include "ff/hd.h"

namespace zka::gpu {

// Of a window of so many bits: parts of its buckets that a thread each sums.
ZKA_HD constexpr uint32_t segments_of(unsigned bits, unsigned log_segment) {
  return bits - 1 <= log_segment ? 1 : uint32_t{1} << (bits - 1 - log_segment);
}

// Each window of each column has a slot: those of a column are side by side.
struct Windows {
  Split split;
  uint32_t n;               // scalars of a column
  unsigned bits;            // of a window
  unsigned first, windows;  // of each column
  unsigned log_item;
  unsigned log_segment;  // see SumSegments

  uint64_t* parts;         // [column][part][scalar][limb]
  uint32_t* sizes;         // [slot][bucket]: how many entries it has
  uint32_t* ends;          // likewise: where they end; while they are placed, where the next goes
  uint32_t* items_before;  // likewise: full items of the buckets before it
  uint32_t* order;         // slots' buckets, those with the longest rest after their full items first
  uint32_t* rests;         // [length]: how many buckets have such a rest; then where they begin in `order`
  uint32_t* items;         // [slot]: full items
  uint32_t* used;          // [slot]: the highest bucket that is not empty, from 1 on
  uint32_t* digits;        // [slot][term]: the bucket's number from 1 on, NEGATIVE with a negative one; 0 for none
  uint32_t* entries;       // [slot][..]: the numbers of points by their buckets, NEGATIVE with a negative digit

  ZKA_HD uint32_t count() const { return n * split.parts; }
  ZKA_HD uint32_t buckets() const { return uint32_t{1} << (bits - 1); }
  // Of a slot, at most.
  ZKA_HD uint32_t items_max() const { return count() >> log_item; }
  // Where the first of a slot is in the arrays that have `buckets()` for each.
  ZKA_HD uint32_t first_bucket(uint32_t slot) const { return slot << (bits - 1); }
  ZKA_HD uint64_t first_entry(uint32_t slot) const { return uint64_t{slot} * count(); }

  ZKA_HD uint32_t whole_items(uint32_t bucket) const { return sizes[bucket] >> log_item; }
  // Of the buckets of a slot.
  ZKA_HD uint32_t segments() const { return segments_of(bits, log_segment); }
  ZKA_HD uint32_t rest(uint32_t bucket) const { return sizes[bucket] & ((uint32_t{1} << log_item) - 1); }
};

}  // namespace zka::gpu
