// What the two columns, both ascending, have in common. A key meets the other column where it is the first of its run and
// the other has its value; all others are left: the rows of A' that repeat the one before, and the remaining values of S. When
// the table has all values, as many keys are left of the one as of the other.
#pragma once
#include "gpu/grid/together.h"
#include "gpu/lookup/merge.h"

namespace zka::gpu {

constexpr uint32_t MATCH_THREADS = 256;

// Both columns: that of A is row 0, the table's row 1.
struct Match {
  const Key* keys;   // of each row n
  uint64_t n;
  uint64_t blocks;   // of keys, in a row
  uint64_t* firsts;  // of each block: where the other row has its first key, or would
  uint32_t* left;    // a bit a key; of each row `blocks` times a block's
  uint64_t* before;  // of each block: how many are left before it; of each row blocks + 1, the last one its sum

  static constexpr uint32_t WORDS = MATCH_THREADS / WARP;
  static constexpr uint32_t A = 0, TABLE = 1;

  ZKA_HD const Key* row(uint32_t row) const { return keys + row * n; }
  ZKA_HD uint64_t& block_before(uint32_t row, uint64_t block) const { return before[row * (blocks + 1) + block]; }
  ZKA_HD uint32_t& left_bits(uint32_t row, uint64_t i) const { return left[row * blocks * WORDS + i / WARP]; }

  ZKA_HD bool begins_run(uint32_t of, uint64_t i) const { return i == 0 || !(row(of)[i] == row(of)[i - 1]); }
  ZKA_HD bool is_left(uint32_t row, uint64_t i) const { return (left_bits(row, i) >> (i % WARP) & 1) != 0; }
  // How many of the keys before this one are.
  ZKA_HD uint64_t left_before(uint32_t row, uint64_t i) const {
    const uint64_t block = i / MATCH_THREADS;
    uint64_t sum = block_before(row, block);
    for (uint64_t k = block * MATCH_THREADS; k + WARP <= i; k += WARP) sum += ones_in(left_bits(row, k));
    return sum + ones_in(left_bits(row, i) & ((uint32_t{1} << (i % WARP)) - 1));
  }
};

// So that a block looks for its keys in a short part of the other row.
struct FindFirsts {
  Match match;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t block = thread.index();
    if (block >= match.blocks) return;
    const uint32_t row = thread.row();
    match.firsts[row * match.blocks + block] =
        lower_bound(match.row(1 - row), 0, match.n, match.row(row)[block * MATCH_THREADS]);
  }
};

// Which keys are left, and how many of each block. `missing`: a row of A' whose value is not in the table, if there is one.
struct MarkLeft {
  static constexpr uint32_t THREADS_MAX = MATCH_THREADS;
  Match match;
  uint64_t* missing;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    const uint32_t row = thread.row();
    const bool first = i < match.n && match.begins_run(row, i);
    const bool meets = first && other_has(row, thread.block(), match.row(row)[i]);
    const uint32_t bits = thread.ballot(i < match.n && !meets);
    const uint32_t alone = thread.ballot(first && !meets);
    if (thread.lane() == 0) {
      match.left_bits(row, i) = bits;
      if (row == Match::A && alone != 0) thread.atomic_min(missing, i + lowest_one(alone));
    }
    const uint32_t counted = thread.lane() == 0 ? ones_in(bits) : 0;
    const uint32_t sum = sum_of_all(thread, thread.template shared<uint32_t>(), counted);
    if (thread.thread() == 0) match.block_before(row, thread.block()) = sum;
  }

  ZKA_HD bool other_has(uint32_t row, uint64_t block, const Key& key) const {
    const uint64_t* const firsts = match.firsts + row * match.blocks;
    const uint64_t end = block + 1 < match.blocks ? firsts[block + 1] : match.n;
    const uint64_t at = lower_bound(match.row(1 - row), firsts[block], end, key);
    return at < match.n && match.row(1 - row)[at] == key;
  }
};

// From the numbers of all blocks of a row to the sums of what comes before each. One block a row, pieces for its threads.
struct SumLeft {
  static constexpr uint32_t THREADS_MAX = 1024;
  Match match;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint32_t row = thread.row();
    const uint64_t begin = match.blocks * thread.thread() / thread.threads();
    const uint64_t end = match.blocks * (thread.thread() + 1) / thread.threads();
    uint64_t own = 0;
    for (uint64_t block = begin; block < end; ++block) own += match.block_before(row, block);
    const Sums sums = sums_of(thread, thread.template shared<uint64_t>(), own);
    uint64_t sum = sums.before;
    for (uint64_t block = begin; block < end; ++block) {
      const uint64_t count = match.block_before(row, block);
      match.block_before(row, block) = sum;
      sum += count;
    }
    if (thread.thread() == 0) match.block_before(row, match.blocks) = sums.all;
  }
};

// The lowest row of A whose value the table has not.
template <class F>
struct FindMissing {
  Match match;
  const F* a;
  uint64_t* first;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    bool missing = false;
    if (i < match.n) {
      const Key key = a[i].to_canonical().l;
      const uint64_t at = lower_bound(match.row(Match::TABLE), 0, match.n, key);
      missing = at == match.n || !(match.row(Match::TABLE)[at] == key);
    }
    const uint32_t bits = thread.ballot(missing);
    if (thread.lane() == 0 && bits != 0) thread.atomic_min(first, i + lowest_one(bits));
  }
};

}  // namespace zka::gpu
