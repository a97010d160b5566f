#include <algorithm>

#include "reference/lookup.h"
#include "support/buffers.h"

using namespace zka;
using namespace zka::test;

namespace {

using Column = std::vector<zka_fe>;
constexpr zka_permute_order ORDERS[] = {ZKA_PERMUTE_LAST_MEETS, ZKA_PERMUTE_FIRST_MEETS};

// A' and S' of all rows, canonical as the arguments.
reference::Columns permuted(zka_ctx* ctx, zka_field field, const Column& a, const Column& s, zka_permute_order order) {
  const TestBuffer input(ctx, field, a), table(ctx, field, s);
  const TestBuffer new_input(ctx, field, a.size()), new_table(ctx, field, a.size());
  uint64_t bad_row = 77;
  REQUIRE(zka_permute_pair(input, table, a.size(), order, new_input, new_table, &bad_row, nullptr) == ZKA_OK);
  CHECK(bad_row == 77);
  return {new_input.read(), new_table.read()};
}

// Columns to try: few values many times, all kinds, one value, a table that is used up exactly, values that differ in
// one limb, and one value beyond all others in the last row.
constexpr uint64_t KINDS = 7;
Column table_of(Random& random, zka_field field, size_t n, uint64_t kind) {
  Column s = random.elements(field, n);
  for (zka_fe& value : s) {
    if (kind == 0) value = fe(random.word() % 7);
    if (kind == 1) value = fe(random.word() % (n + 1));
    if (kind == 2) value = below(field, 1);
    if (kind == 5) value = {}, value.l[n % 4] = random.word() % 3;
    if (kind == 6) value = fe(random.word() % 256);
    if (kind == 3 && random.word() % 4 != 0) value = {{5, value.l[1] % 3, 0, value.l[3] % 2}};
  }
  if (kind == 6) s[n - 1] = below(field, 1);
  return s;
}
Column inputs_of(Random& random, const Column& s, bool all) {
  Column a = s;
  if (all) {
    for (size_t i = a.size(); i > 1; --i) std::swap(a[i - 1], a[random.word() % i]);
  } else {
    for (zka_fe& value : a) value = s[random.word() % s.size()];
  }
  return a;
}

// The identities of both orders, and that both columns are permutations.
void check_identity(const reference::Columns& pair, const Column& a, const Column& s, zka_permute_order order) {
  const auto& [a_out, s_out] = pair;
  const size_t n = a_out.size();
  bool meets = true;
  for (size_t i = 0; i < n; ++i) {
    const bool edge = order == ZKA_PERMUTE_FIRST_MEETS ? i == 0 : i + 1 == n;
    const size_t adjacent = order == ZKA_PERMUTE_FIRST_MEETS ? i - 1 : i + 1;
    meets = meets && (a_out[i] == s_out[i] || (!edge && a_out[i] == a_out[adjacent]));
  }
  CHECK(meets);
  CHECK(std::is_permutation(a_out.begin(), a_out.end(), a.begin()));
  CHECK(std::is_permutation(s_out.begin(), s_out.end(), s.begin()));
}

}  // namespace

TEST_CASE("A' = 1, 1, 2 of the table 1, 2, 3 is halo2's in one order and the identity's in the other") {
  in_each_context([](zka_ctx* ctx) {
    const Column a = {fe(1), fe(2), fe(1)}, s = {fe(3), fe(1), fe(2)};
    const auto first = permuted(ctx, ZKA_FIELD_BN254_FR, a, s, ZKA_PERMUTE_FIRST_MEETS);
    CHECK(first.first == Column{fe(1), fe(1), fe(2)});
    CHECK(first.second == Column{fe(1), fe(3), fe(2)});
    const auto last = permuted(ctx, ZKA_FIELD_BN254_FR, a, s, ZKA_PERMUTE_LAST_MEETS);
    CHECK(last.first == Column{fe(2), fe(1), fe(1)});
    CHECK(last.second == Column{fe(2), fe(3), fe(1)});
  });
}

TEST_CASE("what is left of the table fills the repeated rows from the last backwards") {
  const TestContext context;
  const Column a = {fe(5), fe(5), fe(5), fe(5), fe(9), fe(9)}, s = {fe(9), fe(5), fe(1), fe(9), fe(2), fe(5)};
  const auto pair = permuted(context, ZKA_FIELD_BN254_FR, a, s, ZKA_PERMUTE_FIRST_MEETS);
  CHECK(pair.first == a);
  CHECK(pair.second == Column{fe(5), fe(9), fe(5), fe(2), fe(9), fe(1)});
}

TEST_CASE("random tables give what halo2 gives, read backwards in the other order") {
  in_each_context([](zka_ctx* ctx) {
    Random random(8);
    for (const size_t n : {1, 2, 3, 31, 32, 33, 255, 256, 257}) {
      for (uint64_t kind = 0; kind < KINDS; ++kind) {
        const zka_field field = FIELDS[random.word() % 2];
        const Column s = table_of(random, field, n, kind), a = inputs_of(random, s, random.word() % 3 == 0);
        auto expected = reference::permute_pair(a, s).value();
        CHECK(permuted(ctx, field, a, s, ZKA_PERMUTE_FIRST_MEETS) == expected);
        std::reverse(expected.first.begin(), expected.first.end());
        std::reverse(expected.second.begin(), expected.second.end());
        CHECK(permuted(ctx, field, a, s, ZKA_PERMUTE_LAST_MEETS) == expected);
        for (const auto order : ORDERS) check_identity(permuted(ctx, field, a, s, order), a, s, order);
      }
    }
  });
}

TEST_CASE("long columns are sorted and merged on all threads to the same bytes") {
  in_each_context([](zka_ctx* ctx) {
    Random random(9);
    for (const size_t n : {size_t{4097}, up_to((1 << 16) + 1, 8193)}) {
      for (uint64_t kind = 0; kind < KINDS; ++kind) {
        const Column s = table_of(random, ZKA_FIELD_BN254_FR, n, kind), a = inputs_of(random, s, kind == 1);
        auto expected = reference::permute_pair(a, s).value();
        CHECK(permuted(ctx, ZKA_FIELD_BN254_FR, a, s, ZKA_PERMUTE_FIRST_MEETS) == expected);
        std::reverse(expected.first.begin(), expected.first.end());
        std::reverse(expected.second.begin(), expected.second.end());
        CHECK(permuted(ctx, ZKA_FIELD_BN254_FR, a, s, ZKA_PERMUTE_LAST_MEETS) == expected);
      }
    }
  });
}

TEST_CASE("returns the first row whose value is not in the table, and writes nothing") {
  in_each_context([](zka_ctx* ctx) {
    Random random(10);
    for (const size_t n : {size_t{1}, size_t{33}, size_t{9000}}) {
      const Column s = table_of(random, ZKA_FIELD_BN254_FR, n, 1);
      Column a = inputs_of(random, s, false);
      for (size_t i = 0; i < 3; ++i) a[random.word() % n] = {{i, 1, 2, 3}};
      // A thread that begins in the middle meets one at once, and another one only at its end.
      for (const size_t row : {size_t{4095}, size_t{4096}}) {
        if (row < n) a[row] = {{row, 1, 2, 3}};
      }
      const TestBuffer input(ctx, ZKA_FIELD_BN254_FR, a), table(ctx, ZKA_FIELD_BN254_FR, s);
      const TestBuffer new_input(ctx, ZKA_FIELD_BN254_FR, n), new_table(ctx, ZKA_FIELD_BN254_FR, n);
      uint64_t bad_row = UINT64_MAX;
      for (const auto order : ORDERS) {
        CHECK(zka_permute_pair(input, table, n, order, new_input, new_table, &bad_row, nullptr) == ZKA_E_NOT_IN_TABLE);
        CHECK(bad_row == reference::first_missing(a, s));
        CHECK(zka_permute_pair(input, table, n, order, new_input, new_table, nullptr, nullptr) == ZKA_E_NOT_IN_TABLE);
      }
      CHECK(new_input.read() == Column(n, fe(0)));
      CHECK(new_table.read() == Column(n, fe(0)));
    }
  });
}

TEST_CASE("the order of values is that of the numbers, and not of their bytes in memory") {
  const TestContext context;
  const Column values = {below(ZKA_FIELD_BN254_FR, 1), fe(0), {{0, 0, 0, 1}}, fe(UINT64_MAX), {{0, 1, 0, 0}}, fe(1)};
  const auto pair = permuted(context, ZKA_FIELD_BN254_FR, values, values, ZKA_PERMUTE_FIRST_MEETS);
  CHECK(pair.first == Column{fe(0), fe(1), fe(UINT64_MAX), {{0, 1, 0, 0}}, {{0, 0, 0, 1}}, values[0]});
  CHECK(pair.second == pair.first);
}
