// The terms of a window by their buckets: a counting sort.
#pragma once
#include <cstring>

#include "cpu/msm/digits.h"

namespace zka::ZKA_ISA {

inline void sort_window(const Terms& terms, Window& window) {
  const uint32_t buckets = uint32_t{1} << (window.bits - 1);
  const unsigned limbs = terms.split.limbs();
  const size_t count = terms.count();
  uint32_t* const ends = window.ends;
  std::memset(ends, 0, (size_t{buckets} + 1) * sizeof(uint32_t));
  const Digits digits(limbs, window.index, window.bits);
  for (size_t i = 0; i < count; ++i) ++ends[digits.of(window.parts + i * limbs).bucket];

  ends[0] = 0;  // zeros count nothing
  uint32_t before = 0;
  window.buckets_used = 0;
  for (uint32_t bucket = 1; bucket <= buckets; ++bucket) {
    const uint32_t size = ends[bucket];
    ends[bucket] = before;  // while it is filled: its next free place, in the end: its end
    before += size;
    if (size != 0) window.buckets_used = bucket;
  }
  if (window.buckets_used == 0) return;
  const uint64_t* part = window.parts;
  for (unsigned p = 0; p < terms.split.parts; ++p) {
    for (size_t i = 0; i < terms.n; ++i, part += limbs) {
      const Digit digit = digits.of(part);
      if (digit.bucket == 0) continue;
      const uint32_t point = static_cast<uint32_t>(p * terms.stride + i);
      window.entries[ends[digit.bucket]++] = digit.negative ? point | NEGATIVE : point;
    }
  }
  std::memset(static_cast<void*>(window.buckets), 0, size_t{window.buckets_used} * sizeof(zka_affine));
}

}  // namespace zka::ZKA_ISA
