#include <doctest/doctest.h>

#include "known_answers.h"
#include "reference/plain_field.h"
#include "support/buffers.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

constexpr size_t SIZES[] = {0, 1, 2, 3, 31, 32, 33, 4095, 4096, 4097, 9000};

std::vector<zka_fe> apply(zka_ctx* ctx, zka_vector_op op, zka_field field, const std::vector<zka_fe>& a,
                          const std::vector<zka_fe>& b) {
  const TestBuffer left(ctx, field, a), right(ctx, field, b), out(ctx, field, a.size());
  REQUIRE(zka_vector_op_apply(op, left, right, out, a.size(), nullptr) == ZKA_OK);
  return out.read();
}

// a*b (its own start) in Montgomery form, as the interface takes single elements.
zka_fe montgomery(zka_ctx* ctx, zka_field field, const zka_fe& canonical) {
  return TestBuffer(ctx, field, {canonical}).read(ZKA_FORM_MONTGOMERY)[0];
}

}  // namespace

TEST_CASE("sums, differences, products and powers are those that were worked out elsewhere") {
  in_each_context([](const TestContext& context) {
    for (const KnownAnswer& known : KNOWN_ANSWERS) {
      CHECK(apply(context, ZKA_OP_ADD, known.field, {known.a}, {known.b})[0] == known.sum);
      CHECK(apply(context, ZKA_OP_SUB, known.field, {known.a}, {known.b})[0] == known.difference);
      CHECK(apply(context, ZKA_OP_MUL, known.field, {known.a}, {known.b})[0] == known.product);
      const TestBuffer powers(context, known.field, 1001);
      const zka_fe one = montgomery(context, known.field, fe(1));
      REQUIRE(zka_vector_powers(&one, &known.montgomery, powers, 1001, nullptr) == ZKA_OK);
      CHECK(powers.read()[1000] == known.power_1000);
    }
  });
}

TEST_CASE("element-wise operations are the plain ones, at every size and number of threads") {
  in_each_context([](const TestContext& context) {
    for (const zka_field field : FIELDS) {
      for (const size_t n : SIZES) {
        Random random(n);
        const auto a = random.elements(field, n), b = random.elements(field, n);
        CHECK(apply(context, ZKA_OP_ADD, field, a, b) == plain::each(field, a, b, plain::add));
        CHECK(apply(context, ZKA_OP_SUB, field, a, b) == plain::each(field, a, b, plain::sub));
        // The plain product takes 254 doublings: of some elements.
        const size_t some = std::min<size_t>(n, 100);
        const auto product = apply(context, ZKA_OP_MUL, field, a, b);
        for (size_t i = n - some; i < n; ++i) CHECK(product[i] == plain::mul(field, a[i], b[i]));
      }
    }
  });
}

TEST_CASE("scaled sums take their second vector or none, and may end in either input") {
  in_each_context([](const TestContext& context) {
    for (const zka_field field : FIELDS) {
      Random random(5);
      const auto a = random.elements(field, 50), b = random.elements(field, 50);
      const zka_fe factor = random.element(field);
      const zka_fe inside = montgomery(context, field, factor);
      std::vector<zka_fe> scaled, sum;
      for (size_t i = 0; i < a.size(); ++i) {
        scaled.push_back(plain::mul(field, factor, a[i]));
        sum.push_back(plain::add(field, scaled[i], b[i]));
      }
      const TestBuffer left(context, field, a), right(context, field, b), out(context, field, 50);
      REQUIRE(zka_vector_scale_add(&inside, left, nullptr, out, 50, nullptr) == ZKA_OK);
      CHECK(out.read() == scaled);
      REQUIRE(zka_vector_scale_add(&inside, left, right, right, 50, nullptr) == ZKA_OK);
      CHECK(right.read() == sum);
      REQUIRE(zka_vector_scale_add(&inside, left, nullptr, left, 50, nullptr) == ZKA_OK);
      CHECK(left.read() == scaled);
    }
  });
}

TEST_CASE("powers continue from one thread's part to the next") {
  in_each_context([](const TestContext& context) {
    for (const zka_field field : FIELDS) {
      for (const size_t n : SIZES) {
        Random random(n + 1);
        const zka_fe start = random.element(field), base = random.element(field);
        const TestBuffer out(context, field, n);
        REQUIRE(zka_vector_powers(&start, &base, out, n, nullptr) == ZKA_OK);
        const auto powers = out.read(ZKA_FORM_MONTGOMERY);
        if (n == 0) continue;
        CHECK(powers[0] == start);
        const TestBuffer next(context, field, n - 1);
        REQUIRE(zka_vector_scale_add(&base, out, nullptr, next, n - 1, nullptr) == ZKA_OK);
        CHECK(next.read(ZKA_FORM_MONTGOMERY) == std::vector<zka_fe>(powers.begin() + 1, powers.end()));
      }
    }
  });
}

TEST_CASE("an operation in place leaves what is after its range") {
  const TestContext context;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, {fe(3), fe(5), fe(7)});
  REQUIRE(zka_vector_op_apply(ZKA_OP_MUL, buf, buf, buf, 2, nullptr) == ZKA_OK);
  CHECK(buf.read() == std::vector<zka_fe>{fe(9), fe(25), fe(7)});
}

TEST_CASE("rejects wrong lengths, fields, operations and factors of element-wise operations") {
  const TestContext context;
  const TestBuffer four(context, ZKA_FIELD_BN254_FR, 4), three(context, ZKA_FIELD_BN254_FR, 3);
  const TestBuffer other(context, ZKA_FIELD_BN254_FQ, 4);
  const zka_fe large = below(ZKA_FIELD_BN254_FR, 0), one = fe(1);
  const auto none = static_cast<zka_vector_op>(3);
  CHECK(zka_vector_op_apply(ZKA_OP_ADD, three, four, four, 4, nullptr) == ZKA_E_SIZE);
  CHECK(zka_vector_op_apply(ZKA_OP_ADD, four, three, four, 4, nullptr) == ZKA_E_SIZE);
  CHECK(zka_vector_op_apply(ZKA_OP_ADD, four, four, three, 4, nullptr) == ZKA_E_SIZE);
  CHECK(zka_vector_op_apply(ZKA_OP_ADD, four, other, four, 4, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_vector_op_apply(ZKA_OP_ADD, four, four, other, 4, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_vector_op_apply(none, four, four, four, 4, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_vector_scale_add(&large, four, nullptr, four, 4, nullptr) == ZKA_E_NON_CANONICAL);
  CHECK(zka_vector_scale_add(nullptr, four, nullptr, four, 4, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_vector_scale_add(&one, four, three, four, 4, nullptr) == ZKA_E_SIZE);
  CHECK(zka_vector_powers(&large, &one, four, 4, nullptr) == ZKA_E_NON_CANONICAL);
  CHECK(zka_vector_powers(&one, &large, four, 4, nullptr) == ZKA_E_NON_CANONICAL);
  CHECK(zka_vector_powers(&one, &one, four, 5, nullptr) == ZKA_E_SIZE);
  CHECK(zka_vector_powers(&one, &large, other, 4, nullptr) == ZKA_OK);
}
