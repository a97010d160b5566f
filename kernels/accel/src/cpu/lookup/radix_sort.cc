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

// work(begin, end) for pieces of [0, n), and a look before each where there are several.
template <class Work>
void in_pieces(const Cancel& cancel, size_t n, const Work& work) {
  for (size_t begin = 0; begin < n; begin += LOOK_KEYS) {
    if (n > LOOK_KEYS) cancel.check();
    work(begin, std::min(n, begin + LOOK_KEYS));
  }
}

// The highest bit in which any two differ; -1: all are the same.
int highest_difference(const Cancel& cancel, const Key* keys, size_t n) {
  Key any{};
  in_pieces(cancel, n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      for (int k = 0; k < 4; ++k) any.l[k] |= keys[i].l[k] ^ keys[0].l[k];
    }
  });
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

void radix_sort(const Cancel& cancel, Key* keys, Key* scratch, size_t n) {
  if (n <= INSERTION_MAX) return insertion_sort(keys, n);
  const int top = highest_difference(cancel, keys, n);
  if (top < 0) return;
  const unsigned low = static_cast<unsigned>(std::max(0, top - 7));

  size_t ends[DIGITS] = {};
  in_pieces(cancel, n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) ++ends[digit(keys[i], low)];
  });
  size_t sum = 0;
  for (size_t& end : ends) {
    const size_t begin = sum;
    sum += end;
    end = begin;  // moves up to the end as keys come
  }
  in_pieces(cancel, n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) scratch[ends[digit(keys[i], low)]++] = keys[i];
  });
  in_pieces(cancel, n, [&](size_t begin, size_t end) { std::copy(scratch + begin, scratch + end, keys + begin); });
  if (low == 0) return;
  size_t begin = 0;
  for (const size_t end : ends) {
    if (n > LOOK_KEYS) cancel.check();
    radix_sort(cancel, keys + begin, scratch + begin, end - begin);
    begin = end;
  }
}

}  // namespace zka::cpu
