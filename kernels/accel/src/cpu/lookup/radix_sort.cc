#include "cpu/lookup/radix_sort.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace zka::cpu {
namespace {

constexpr size_t INSERTION_MAX = 24;
constexpr size_t DIGITS = 256;

void insertion_sort(Key* keys, size_t n) {
  for (size_t i = 1; i < n; ++i) {
    const Key key = keys[i];
    size_t to = i;
    for (; to > 0 && less(key, keys[to - 1]); --to) keys[to] = keys[to - 1];
    keys[to] = key;
  }
}

// The highest bit in which any two differ; -1: all are the same.
int highest_difference(const Key* keys, size_t n) {
  Key any{};
  for (size_t i = 1; i < n; ++i) {
    for (int k = 0; k < 4; ++k) any.l[k] |= keys[i].l[k] ^ keys[0].l[k];
  }
  for (int k = 3; k >= 0; --k) {
    if (any.l[k] != 0) return 64 * k + 63 - std::countl_zero(any.l[k]);
  }
  return -1;
}

// The eight bits from `low` on.
size_t digit(const Key& key, unsigned low) {
  const unsigned word = low / 64, shift = low % 64;
  uint64_t bits = key.l[word] >> shift;
  if (shift > 64 - 8 && word < 3) bits |= key.l[word + 1] << (64 - shift);
  return bits % DIGITS;
}

}  // namespace

void radix_sort(Key* keys, Key* scratch, size_t n) {
  if (n <= INSERTION_MAX) return insertion_sort(keys, n);
  const int top = highest_difference(keys, n);
  if (top < 0) return;
  const unsigned low = static_cast<unsigned>(std::max(0, top - 7));

  size_t ends[DIGITS] = {};
  for (size_t i = 0; i < n; ++i) ++ends[digit(keys[i], low)];
  size_t sum = 0;
  for (size_t& end : ends) {
    const size_t begin = sum;
    sum += end;
    end = begin;  // moves up to the end as keys come
  }
  for (size_t i = 0; i < n; ++i) scratch[ends[digit(keys[i], low)]++] = keys[i];
  std::copy_n(scratch, n, keys);
  if (low == 0) return;
  size_t begin = 0;
  for (const size_t end : ends) {
    radix_sort(keys + begin, scratch + begin, end - begin);
    begin = end;
  }
}

}  // namespace zka::cpu
