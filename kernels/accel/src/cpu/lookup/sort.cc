#include "cpu/lookup/sort.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "cpu/lookup/radix_sort.h"

namespace zka::cpu {
namespace {

// What a thread merges at a time.
constexpr size_t BLOCK = size_t{1} << 13;

struct Run {
  const Key* keys;
  size_t n;
};

// How many of the first `count` keys of the merged runs are from the left one: the same keys are taken from the left
// first. [merge path: Odeh et al., "Merge Path - Parallel Merging Made Simple", IPDPSW 2012]
size_t from_left(const Run& left, const Run& right, size_t count) {
  size_t low = count > right.n ? count - right.n : 0;
  size_t high = std::min(count, left.n);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (less(right.keys[count - middle - 1], left.keys[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// to[begin..end) of the merged runs.
void merge_block(const Run& left, const Run& right, Key* to, size_t begin, size_t end) {
  const size_t first = from_left(left, right, begin);
  const size_t last = from_left(left, right, end);
  std::merge(left.keys + first, left.keys + last, right.keys + (begin - first), right.keys + (end - last), to + begin,
             less);
}

}  // namespace

Key* sort_keys(const Job& job, Key* keys, Key* scratch, size_t n) {
  // A run for each thread, of complete blocks.
  const size_t runs = std::bit_ceil(size_t{job.pool.threads()});
  const size_t blocks = n / BLOCK + (n % BLOCK != 0);
  size_t length = std::max<size_t>(1, (blocks + runs - 1) / runs) * BLOCK;
  job.pool.parallel(n / length + (n % length != 0), [&](size_t run) {
    job.cancel.check();
    radix_sort(job.cancel, keys + run * length, scratch + run * length, std::min(length, n - run * length));
  });
  for (; length < n; length *= 2) {
    job.pool.parallel(blocks, [&](size_t block) {
      job.cancel.check();
      const size_t begin = block * BLOCK, end = std::min(n, begin + BLOCK);
      const size_t pair = begin / (2 * length) * (2 * length);
      const size_t left = std::min(length, n - pair);
      const size_t right = std::min(length, n - pair - left);
      merge_block({keys + pair, left}, {keys + pair + left, right}, scratch + pair, begin - pair, end - pair);
    });
    std::swap(keys, scratch);
  }
  return keys;
}

}  // namespace zka::cpu
