// A thread's part of merging two ascending runs: it finds on its own where its part begins in each. Keys that are the same
// cannot be distinguished, so that the result is the same whichever comes first. [merge path: Odeh et al., "Merge Path -
// Parallel Merging Made Simple", IPDPSW 2012]
#pragma once
#include <cstdint>

#include "gpu/field/words.h"

namespace zka::gpu {

// Rows' values by which they are sorted: canonical, so that they are ordered as halo2 orders them.
using Key = Words;

// Not below any key: it stands for those that are not there.
constexpr ZKA_HD Key last_key() {
  return {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
}

template <class Index>
struct Runs {
  const Key *left, *right;
  Index left_n, right_n;
};

// How many of the first `count` keys of the merged runs are from the left one: the same keys are taken from it first.
template <class Index>
ZKA_HD Index from_left(const Runs<Index>& runs, Index count) {
  Index low = count > runs.right_n ? count - runs.right_n : 0;
  Index high = count < runs.left_n ? count : runs.left_n;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (less(runs.right[count - middle - 1], runs.left[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// The N keys from `begin` on of the merged runs; beyond their end, last keys.
template <int N, class Index>
ZKA_HD void merge(const Runs<Index>& runs, Index begin, Key (&out)[N]) {
  Index i = from_left(runs, begin), j = begin - i;
  Key left = i < runs.left_n ? runs.left[i] : last_key();
  Key right = j < runs.right_n ? runs.right[j] : last_key();
  ZKA_UNROLLED
  for (int k = 0; k < N; ++k) {
    const bool from_right = less(right, left);
    out[k] = from_right ? right : left;
    if (from_right) {
      right = ++j < runs.right_n ? runs.right[j] : last_key();
    } else {
      left = ++i < runs.left_n ? runs.left[i] : last_key();
    }
  }
}

// Where the first key of ascending [low, high) is that is not below this one; high if there is none.
inline ZKA_HD uint64_t lower_bound(const Key* sorted, uint64_t low, uint64_t high, const Key& key) {
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (less(sorted[middle], key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace zka::gpu
