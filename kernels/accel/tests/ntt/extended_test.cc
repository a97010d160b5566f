#include "ntt/domains.h"

using namespace zka::test;
namespace plain = zka::reference;

TEST_CASE("coefficients become values on the coset of the extended domain, however many there are, and come back") {
  for (const auto& sizes : {std::pair{0u, 0u}, {0u, 3u}, {2u, 4u}, {4u, 7u}, {7u, 7u}}) {
    const auto k = sizes.first, extended_k = sizes.second;
    const size_t extended_n = size_t{1} << extended_k;
    for (const size_t n : {size_t{0}, size_t{1}, size_t{1} << k, (size_t{1} << extended_k) * 5 / 8, extended_n}) {
      const auto coefficients = Random(n).elements(FR, n);
      const auto values = plain::dft(coefficients, plain::root(extended_k), {{7, 0, 0, 0}}, extended_n);
      auto padded = coefficients;
      padded.resize(extended_n);
      in_each_context([&](const TestContext& context) {
        const TestDomain domain(context, k, extended_k);
        const TestBuffer from(context, FR, coefficients), to(context, FR, extended_n);
        REQUIRE(zka_coeff_to_extended(domain, from, to, nullptr) == ZKA_OK);
        CHECK(to.read() == values);
        REQUIRE(zka_extended_to_coeff(domain, to, nullptr) == ZKA_OK);
        CHECK(to.read() == padded);
        if (n != extended_n) return;
        REQUIRE(zka_coeff_to_extended(domain, to, to, nullptr) == ZKA_OK);
        CHECK(to.read() == values);
      });
    }
  }
}

TEST_CASE("q * (X^n - 1), divided by the vanishing polynomial on the coset, is q") {
  for (const auto& sizes : {std::pair{0u, 1u}, {0u, 5u}, {3u, 5u}, {5u, 10u}, {9u, 10u}, {11u, 13u}, {0u, 14u}}) {
    const auto k = sizes.first, extended_k = sizes.second;
    const size_t n = size_t{1} << k, extended_n = size_t{1} << extended_k;
    auto q = Random(k).elements(FR, extended_n - n);
    q.resize(extended_n);
    std::vector<zka_fe> product(extended_n);
    for (size_t i = 0; i < extended_n; ++i) product[i] = plain::sub(FR, i < n ? zka_fe{} : q[i - n], q[i]);
    in_each_context([&](const TestContext& context) {
      const TestDomain domain(context, k, extended_k);
      const TestBuffer from(context, FR, product), values(context, FR, extended_n);
      REQUIRE(zka_coeff_to_extended(domain, from, values, nullptr) == ZKA_OK);
      REQUIRE(zka_divide_by_vanishing(domain, values, nullptr) == ZKA_OK);
      REQUIRE(zka_extended_to_coeff(domain, values, nullptr) == ZKA_OK);
      CHECK(values.read() == q);
    });
  }
}

TEST_CASE("where the domain is its own extension, the vanishing polynomial is g^n - 1 everywhere") {
  for (const uint32_t k : {0u, 2u, 5u}) {
    const auto x = Random(k).elements(FR, size_t{1} << k);
    const zka_fe value = plain::sub(FR, plain::power({{7, 0, 0, 0}}, uint64_t{1} << k), {{1, 0, 0, 0}});
    in_each_context([&](const TestContext& context) {
      const TestDomain domain(context, k, k);
      const TestBuffer buffer(context, FR, x);
      REQUIRE(zka_divide_by_vanishing(domain, buffer, nullptr) == ZKA_OK);
      const auto divided = buffer.read();
      for (size_t i = 0; i < x.size(); ++i) CHECK(plain::mul(FR, divided[i], value) == x[i]);
    });
  }
}
