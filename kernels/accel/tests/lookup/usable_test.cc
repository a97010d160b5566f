#include "support/taken.h"

using namespace zka::test;

namespace {

using Column = std::vector<zka_fe>;

struct Pair {
  explicit Pair(zka_ctx* ctx, size_t n = 4)
      : a(ctx, ZKA_FIELD_BN254_FR, Column(n, fe(2))),
        s(ctx, ZKA_FIELD_BN254_FR, Column(n, fe(2))),
        a_out(ctx, ZKA_FIELD_BN254_FR, Column(n, fe(8))),
        s_out(ctx, ZKA_FIELD_BN254_FR, Column(n, fe(9))) {}

  zka_status permute(size_t usable) const {
    return zka_permute_pair(a, s, usable, ZKA_PERMUTE_LAST_MEETS, a_out, s_out, nullptr, nullptr);
  }

  TestBuffer a, s, a_out, s_out;
};

}  // namespace

TEST_CASE("rows from `usable` on stay as they are") {
  in_each_context([](zka_ctx* ctx) {
    const Pair pair(ctx);
    CHECK(pair.permute(0) == ZKA_OK);
    CHECK(pair.a_out.read() == Column(4, fe(8)));
    CHECK(pair.permute(1) == ZKA_OK);
    CHECK(pair.a_out.read() == Column{fe(2), fe(8), fe(8), fe(8)});
    CHECK(pair.s_out.read() == Column{fe(2), fe(9), fe(9), fe(9)});
    CHECK(pair.permute(4) == ZKA_OK);
    CHECK(pair.s_out.read() == Column(4, fe(2)));
    CHECK(pair.permute(5) == ZKA_E_SIZE);
  });
}

TEST_CASE("values beyond the usable rows count neither as inputs nor for the table") {
  const TestContext context;
  const TestBuffer a(context, ZKA_FIELD_BN254_FR, Column{fe(1), fe(3)}), s(context, ZKA_FIELD_BN254_FR, Column{fe(1), fe(2)});
  const TestBuffer s_late(context, ZKA_FIELD_BN254_FR, Column{fe(2), fe(1)}), out(context, ZKA_FIELD_BN254_FR, 2);
  const TestBuffer s_out(context, ZKA_FIELD_BN254_FR, 2);
  CHECK(zka_permute_pair(a, s, 1, ZKA_PERMUTE_FIRST_MEETS, out, s_out, nullptr, nullptr) == ZKA_OK);
  CHECK(zka_permute_pair(a, s_late, 1, ZKA_PERMUTE_FIRST_MEETS, out, s_out, nullptr, nullptr) == ZKA_E_NOT_IN_TABLE);
}

TEST_CASE("columns may be permuted in place, each into itself or into the other") {
  const TestContext context;
  for (const bool crossed : {false, true}) {
    const TestBuffer a(context, ZKA_FIELD_BN254_FR, Column{fe(2), fe(1), fe(1)});
    const TestBuffer s(context, ZKA_FIELD_BN254_FR, Column{fe(1), fe(2), fe(3)});
    zka_buf *const a_out = crossed ? s : a, *const s_out = crossed ? a : s;
    REQUIRE(zka_permute_pair(a, s, 3, ZKA_PERMUTE_FIRST_MEETS, a_out, s_out, nullptr, nullptr) == ZKA_OK);
    CHECK((crossed ? s : a).read() == Column{fe(1), fe(1), fe(2)});
    CHECK((crossed ? a : s).read() == Column{fe(1), fe(3), fe(2)});
  }
}

TEST_CASE("rejects arguments of a lookup that do not fit") {
  const TestContext context, other;
  const Pair pair(context), foreign(other);
  const TestBuffer other_field(context, ZKA_FIELD_BN254_FQ, 4);
  const auto permute = [](zka_buf* a, zka_buf* s, int order, zka_buf* a_out, zka_buf* s_out) {
    return zka_permute_pair(a, s, 4, static_cast<zka_permute_order>(order), a_out, s_out, nullptr, nullptr);
  };
  CHECK(permute(pair.a, pair.s, 1, pair.a_out, pair.s_out) == ZKA_OK);
  CHECK(permute(pair.a, pair.s, 2, pair.a_out, pair.s_out) == ZKA_E_INVALID_ARG);
  CHECK(permute(nullptr, pair.s, 0, pair.a_out, pair.s_out) == ZKA_E_INVALID_ARG);
  CHECK(permute(pair.a, foreign.s, 0, pair.a_out, pair.s_out) == ZKA_E_INVALID_ARG);
  CHECK(permute(pair.a, other_field, 0, pair.a_out, pair.s_out) == ZKA_E_INVALID_ARG);
  CHECK(permute(pair.a, pair.s, 0, pair.a_out, pair.a_out) == ZKA_E_INVALID_ARG);
}

TEST_CASE("a lookup uses exactly the memory that was predicted") {
  in_each_context([](zka_ctx* ctx) {
    for (const size_t n : {size_t{0}, size_t{1}, size_t{4097}}) {
      const Pair pair(ctx, n);
      uint64_t host = 1, device = 1;
      REQUIRE(zka_permute_pair_mem(ctx, n, &host, &device) == ZKA_OK);
      CHECK((on_plugin() ? host : device) == 0);
      CHECK(taken_by(ctx, [&] { CHECK(pair.permute(n) == ZKA_OK); }) == (on_plugin() ? device : host));
    }
  });
}
