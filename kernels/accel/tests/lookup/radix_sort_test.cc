#include "cpu/lookup/radix_sort.h"

#include <algorithm>
#include <vector>

#include "support/cancelled_at.h"
#include "support/elements.h"

using namespace zka;
using namespace zka::test;
using cpu::Key;
using cpu::LOOK_KEYS;

namespace {

// Keys that are sorted in one round, in two of many keys and in several of few, and those that are the same.
std::vector<std::vector<Key>> columns(size_t n) {
  Random random(31);
  std::vector<std::vector<Key>> all(4, std::vector<Key>(n));
  for (size_t i = 0; i < n; ++i) {
    all[0][i] = fe(random.word() % 256);
    all[1][i] = {{random.word() % 256, 0, 0, random.word() % 2}};
    all[2][i] = random.element(ZKA_FIELD_BN254_FR);
    all[3][i] = fe(7);
  }
  return all;
}

}  // namespace

TEST_CASE("a sort of many keys checks for cancellation after each part of them, and one of few does not") {
  for (const size_t n : {LOOK_KEYS, 8 * LOOK_KEYS + 1}) {
    for (const auto& keys : columns(n)) {
      std::atomic<size_t> looks{0};
      const CancelledAt never(CancelledAt::NEVER, looks);
      std::vector<Key> sorted = keys, scratch(n), expected = keys;
      cpu::radix_sort(never, sorted.data(), scratch.data(), n);
      std::sort(expected.begin(), expected.end(), cpu::less);
      CHECK(sorted == expected);
      if (n == LOOK_KEYS) {
        CHECK(looks == 0);
        continue;
      }
      // What is the same is looked through once; else four times a round.
      const size_t pieces = 9;
      CHECK(looks >= (cpu::same(expected.front(), expected.back()) ? pieces : 4 * pieces));
      for (const size_t look : {size_t{1}, looks / 2, looks.load()}) {
        std::atomic<size_t> looked{0};
        const CancelledAt now(look, looked);
        std::vector<Key> spoilt = keys;
        CHECK_THROWS_AS(cpu::radix_sort(now, spoilt.data(), scratch.data(), n), Failure);
        CHECK(looked == look);
      }
    }
  }
}
