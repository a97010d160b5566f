// A column's keys, ascending: tiles are sorted in shared memory, then runs of tiles are merged, two to one. Each key moves
// once a doubling, whatever the keys are.
#pragma once
#include "gpu/grid/shape.h"
#include "gpu/lookup/merge.h"

namespace zka::gpu {

constexpr uint32_t SORT_THREADS = 256;
// Of one thread, side by side: an odd number, so that threads of a warp meet few others in a bank of shared memory.
constexpr uint32_t SORT_EACH = 5;
constexpr uint32_t SORT_TILE = SORT_THREADS * SORT_EACH;

// Shape of SortTiles and MergeTiles for n keys.
inline Shape sort_shape(uint64_t n) {
  return {.blocks = n / SORT_TILE + (n % SORT_TILE != 0), .threads = SORT_THREADS,
          .shared_bytes = SORT_TILE * sizeof(Key)};
}

// Puts each thread's keys in their place of the block's tile, for all to see.
template <class Thread>
ZKA_HD void share(Thread& thread, const Key (&own)[SORT_EACH], Key* tile) {
  ZKA_UNROLLED
  for (uint32_t k = 0; k < SORT_EACH; ++k) tile[thread.thread() * SORT_EACH + k] = own[k];
  thread.sync_block();
}

// The block's tile, to where it begins among n keys.
template <class Thread>
ZKA_HD void put_out(Thread& thread, const Key* tile, uint64_t begin, Key* keys, uint64_t n) {
  ZKA_UNROLLED
  for (uint32_t k = 0; k < SORT_EACH; ++k) {
    const uint32_t i = k * SORT_THREADS + thread.thread();
    if (begin + i < n) keys[begin + i] = tile[i];
  }
}

// By swaps of adjacent keys. [odd-even transposition: Knuth, "The Art of Computer Programming" 3, 5.3.4]
inline ZKA_HD void sort_own(Key (&own)[SORT_EACH]) {
  ZKA_UNROLLED
  for (uint32_t round = 0; round < SORT_EACH; ++round) {
    ZKA_UNROLLED
    for (uint32_t k = round % 2; k + 1 < SORT_EACH; k += 2) {
      const Key first = own[k], second = own[k + 1];
      const bool swapped = less(second, first);
      own[k] = swapped ? second : first;
      own[k + 1] = swapped ? first : second;
    }
  }
}

// The keys of rows, each tile of them ascending.
template <class F>
struct SortTiles {
  const F* rows;
  Key* keys;
  uint64_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    Key* const tile = thread.template shared<Key>();
    const uint64_t begin = uint64_t{thread.block()} * SORT_TILE;
    Key own[SORT_EACH];
    ZKA_UNROLLED
    for (uint32_t k = 0; k < SORT_EACH; ++k) {
      const uint64_t i = begin + k * SORT_THREADS + thread.thread();
      own[k] = i < n ? rows[i].to_canonical().l : last_key();
    }
    sort_own(own);
    share(thread, own, tile);
    ZKA_ROLLED
    for (uint32_t run = SORT_EACH; run < SORT_TILE; run *= 2) {
      const uint32_t at = thread.thread() * SORT_EACH, pair = at / (2 * run) * (2 * run);
      merge(Runs<uint32_t>{tile + pair, tile + pair + run, run, run}, at - pair, own);
      thread.sync_block();
      share(thread, own, tile);
    }
    put_out(thread, tile, begin, keys, n);
  }
};

// One step: from ascending runs of `run` keys, a multiple of a tile, to runs twice as long.
struct MergeStep {
  const Key* from;
  uint64_t n, run;

  // The two runs of which this key and those around it are merged, and where they begin.
  struct Pair {
    uint64_t begin;
    Runs<uint64_t> runs;
  };
  ZKA_HD Pair pair_of(uint64_t key) const {
    const uint64_t begin = key / (2 * run) * (2 * run), n_left = n - begin;
    const uint64_t left_n = run < n_left ? run : n_left;
    const uint64_t right_n = run < n_left - left_n ? run : n_left - left_n;
    return {begin, {from + begin, from + begin + left_n, left_n, right_n}};
  }
};

// How many keys before each tile, of those that are merged to its run, are from the left.
struct FindSplits {
  MergeStep step;
  uint64_t* splits;
  uint64_t tiles;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    if (thread.index() >= tiles) return;
    const uint64_t begin = thread.index() * SORT_TILE;
    const auto pair = step.pair_of(begin);
    splits[thread.index()] = from_left(pair.runs, begin - pair.begin);
  }
};

struct MergeTiles {
  MergeStep step;
  const uint64_t* splits;
  Key* to;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    Key* const tile = thread.template shared<Key>();
    const uint64_t begin = uint64_t{thread.block()} * SORT_TILE;
    const auto [pair, runs] = step.pair_of(begin);
    const uint64_t end_of_pair = runs.left_n + runs.right_n;
    const uint64_t end = begin - pair + SORT_TILE < end_of_pair ? begin - pair + SORT_TILE : end_of_pair;
    const uint64_t left = splits[thread.block()], right = begin - pair - left;
    const uint64_t left_end = end == end_of_pair ? runs.left_n : splits[thread.block() + 1];
    const auto left_n = static_cast<uint32_t>(left_end - left), right_n = static_cast<uint32_t>(end - left_end - right);
    const uint32_t all = left_n + right_n, own_begin = thread.thread() * SORT_EACH;
    ZKA_ROLLED
    for (uint32_t i = thread.thread(); i < all; i += SORT_THREADS) {
      tile[i] = i < left_n ? runs.left[left + i] : runs.right[right + (i - left_n)];
    }
    thread.sync_block();
    Key own[SORT_EACH];
    merge(Runs<uint32_t>{tile, tile + left_n, left_n, right_n}, own_begin < all ? own_begin : all, own);
    thread.sync_block();
    share(thread, own, tile);
    put_out(thread, tile, begin, to, step.n);
  }
};

}  // namespace zka::gpu
