#include <memory>

#include "ntt/domains.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

constexpr zka_order ORDERS[] = {ZKA_ORDER_NN, ZKA_ORDER_NR, ZKA_ORDER_RN};
constexpr zka_fe SEVEN{{7, 0, 0, 0}};

// What `natural` looks like where it goes in and comes out in an order.
std::vector<zka_fe> given(const std::vector<zka_fe>& natural, zka_order order) {
  return order == ZKA_ORDER_RN ? plain::bit_reversed(natural) : natural;
}
std::vector<zka_fe> in_order(const std::vector<zka_fe>& natural, zka_order order) {
  return order == ZKA_ORDER_NR ? plain::bit_reversed(natural) : natural;
}

// Forward of `coefficients` is `values`, and back, in every order.
void check_pair(zka_ctx* ctx, const TestDomain& domain, const std::vector<zka_fe>& coefficients,
                const std::vector<zka_fe>& values, bool on_coset) {
  for (const zka_order order : ORDERS) {
    INFO("n ", values.size(), ", order ", order, ", coset ", on_coset);
    CHECK(domain.ntt(ctx, given(coefficients, order), ZKA_NTT_FORWARD, order, on_coset) == in_order(values, order));
    CHECK(domain.ntt(ctx, given(values, order), ZKA_NTT_INVERSE, order, on_coset) == in_order(coefficients, order));
  }
}

}  // namespace

TEST_CASE("a transform evaluates the polynomial at each power of the root, on the coset too, and back") {
  for (uint32_t k = 0; k <= 8; ++k) {
    const size_t n = size_t{1} << k;
    const auto coefficients = Random(k).elements(FR, n);
    const auto values = plain::dft(coefficients, plain::root(k), {{1, 0, 0, 0}}, n);
    const auto on_coset = plain::dft(coefficients, plain::root(k), SEVEN, n);
    in_each_context([&](const TestContext& context) {
      const TestDomain domain(context, k, k);
      check_pair(context, domain, coefficients, values, false);
      check_pair(context, domain, coefficients, on_coset, true);
    });
  }
}

TEST_CASE("long transforms are those of a plain radix 2") {
  for (const uint32_t k : {11u, 12u, 13u}) {
    auto coefficients = Random(k).elements(FR, size_t{1} << k);
    const auto values = plain::radix2(coefficients, plain::root(k));
    auto shifted = coefficients;
    zka_fe power{{1, 0, 0, 0}};
    for (zka_fe& coefficient : shifted) {
      coefficient = plain::mul(FR, coefficient, power);
      power = plain::mul(FR, power, SEVEN);
    }
    const auto on_coset = plain::radix2(shifted, plain::root(k));
    in_each_context([&](const TestContext& context) {
      const TestDomain domain(context, k, k);
      check_pair(context, domain, coefficients, values, false);
      check_pair(context, domain, coefficients, on_coset, true);
    });
  }
}

TEST_CASE("there and back is what it was, at every length and in every order, with the same bytes in all contexts") {
  for (uint32_t k = 0; k <= up_to(16, 14); ++k) {
    const auto x = Random(k + 100).elements(FR, size_t{1} << k);
    std::vector<zka_fe> first;
    in_each_context([&](const TestContext& context) {
      const TestDomain domain(context, k, k);
      for (const bool on_coset : {false, true}) {
        const auto values = domain.ntt(context, x, ZKA_NTT_FORWARD, ZKA_ORDER_NR, on_coset);
        CHECK(domain.ntt(context, values, ZKA_NTT_INVERSE, ZKA_ORDER_RN, on_coset) == x);
        const auto natural = domain.ntt(context, x, ZKA_NTT_FORWARD, ZKA_ORDER_NN, on_coset);
        CHECK(natural == plain::bit_reversed(values));
        CHECK(domain.ntt(context, natural, ZKA_NTT_INVERSE, ZKA_ORDER_NN, on_coset) == x);
        if (on_coset) continue;
        if (first.empty()) first = natural;
        CHECK(natural == first);
      }
    });
  }
}

TEST_CASE("the transform of a sum is the sum of the transforms; columns together are columns one by one") {
  for (const uint32_t k : {5u, 9u, 12u, 13u}) {
    const size_t n = size_t{1} << k;
    Random random(k);
    const auto a = random.elements(FR, n), b = random.elements(FR, n);
    const auto sum = plain::each(FR, a, b, plain::add);
    in_each_context([&](const TestContext& context) {
      const TestDomain domain(context, k, k + 1);
      const TestBuffer first(context, FR, a), second(context, FR, b), third(context, FR, sum);
      // With others next to them, so that threads have different columns at the same time.
      std::vector<std::unique_ptr<TestBuffer>> others;
      std::vector<zka_buf*> columns = {first, second, third};
      for (size_t i = 0; i < 12; ++i) {
        columns.push_back(*others.emplace_back(std::make_unique<TestBuffer>(context, FR, i % 2 == 0 ? a : b)));
      }
      REQUIRE(zka_ntt(domain, columns.data(), columns.size(), ZKA_NTT_FORWARD, ZKA_ORDER_NN, 1, nullptr) == ZKA_OK);
      for (size_t i = 0; i < 12; ++i) CHECK(others[i]->read() == (i % 2 == 0 ? first : second).read());
      CHECK(third.read() == plain::each(FR, first.read(), second.read(), plain::add));
      CHECK(first.read() == domain.ntt(context, a, ZKA_NTT_FORWARD, ZKA_ORDER_NN, true));
    });
  }
}
