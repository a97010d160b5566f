#include "ntt/domains.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

zka_status create(zka_ctx* ctx, uint32_t k, uint32_t extended_k, const zka_fe* omega, const zka_fe* coset) {
  zka_domain* domain = nullptr;
  const zka_status status = zka_domain_create(ctx, k, extended_k, omega, coset, &domain);
  CHECK((domain != nullptr) == (status == ZKA_OK));
  zka_domain_free(domain);
  return status;
}

}  // namespace

TEST_CASE("a domain accepts a root of its order and a generator outside of it, and nothing else") {
  const TestContext context;
  const zka_fe root4 = montgomery(context, plain::root(4)), root5 = montgomery(context, plain::root(5));
  const zka_fe one = montgomery(context, fe(1)), zero{}, five = montgomery(context, fe(5));
  CHECK(create(context, 3, 4, &root4, &five) == ZKA_OK);
  CHECK(create(context, 3, 4, &root4, &root5) == ZKA_OK);
  CHECK(create(context, 3, 4, &root5, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(create(context, 3, 5, &root4, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(create(context, 3, 4, &zero, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(create(context, 0, 0, &one, &five) == ZKA_OK);
  CHECK(create(context, 0, 0, &five, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(create(context, 3, 4, nullptr, &zero) == ZKA_E_INVALID_ARG);
  CHECK(create(context, 3, 4, nullptr, &one) == ZKA_E_INVALID_ARG);
  CHECK(create(context, 3, 4, nullptr, &root4) == ZKA_E_INVALID_ARG);
  const zka_fe modulus = below(FR, 0);
  CHECK(create(context, 3, 4, &modulus, nullptr) == ZKA_E_NON_CANONICAL);
  CHECK(create(context, 3, 4, nullptr, &modulus) == ZKA_E_NON_CANONICAL);
  CHECK(create(context, 5, 4, nullptr, nullptr) == ZKA_E_SIZE);
  CHECK(create(context, 5, 29, nullptr, nullptr) == ZKA_E_SIZE);
  CHECK(zka_domain_create(context, 3, 4, nullptr, nullptr, nullptr) == ZKA_E_INVALID_ARG);
}

TEST_CASE("rejects columns that do not fit the domain or each other, and leaves them as they were") {
  const TestContext context;
  const TestDomain domain(context, 3, 5);
  const auto x = Random(1).elements(FR, 8);
  const TestBuffer fits(context, FR, x), longer(context, FR, 32), odd(context, FR, 16);
  const TestBuffer other_field(context, ZKA_FIELD_BN254_FQ, 8);
  const auto ntt = [&](std::vector<zka_buf*> columns) {
    return zka_ntt(domain, columns.data(), columns.size(), ZKA_NTT_FORWARD, ZKA_ORDER_NN, 0, nullptr);
  };
  CHECK(ntt({}) == ZKA_OK);
  CHECK(ntt({odd}) == ZKA_E_SIZE);
  CHECK(ntt({fits, longer}) == ZKA_E_SIZE);
  CHECK(ntt({fits, fits}) == ZKA_E_INVALID_ARG);
  CHECK(ntt({fits, nullptr}) == ZKA_E_INVALID_ARG);
  CHECK(ntt({other_field}) == ZKA_E_INVALID_ARG);
  CHECK(fits.read() == x);
  CHECK(zka_ntt(domain, nullptr, 1, ZKA_NTT_FORWARD, ZKA_ORDER_NN, 0, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_coeff_to_extended(domain, longer, fits, nullptr) == ZKA_E_SIZE);
  CHECK(zka_extended_to_coeff(domain, fits, nullptr) == ZKA_E_SIZE);
  CHECK(zka_divide_by_vanishing(domain, odd, nullptr) == ZKA_E_SIZE);
}

TEST_CASE("domains and transforms take exactly the memory that they were said to take") {
  in_each_context([](const TestContext& shared) {
    uint64_t host = 1, device = 1, peak = held(shared).bytes_peak;
    for (const auto& [k, extended_k] : {std::pair{0u, 0u}, {3u, 5u}, {6u, 8u}, {12u, 13u}, {13u, 13u}}) {
      REQUIRE(zka_domain_mem(shared, k, extended_k, &host, &device) == ZKA_OK);
      const uint64_t before = held(shared).bytes;
      const TestDomain domain(shared, k, extended_k);
      CHECK(held(shared).bytes == before + (on_plugin() ? device : host));
      CHECK((on_plugin() ? host : device) == 0);
      for (const uint32_t log_n : {k, extended_k}) {
        const TestBuffer buffer(shared, FR, size_t{1} << log_n);
        const uint64_t base = held(shared).bytes;
        REQUIRE(zka_ntt_mem(domain, size_t{1} << log_n, &host, &device) == ZKA_OK);
        zka_buf* const column[] = {buffer};
        REQUIRE(zka_ntt(domain, column, 1, ZKA_NTT_FORWARD, ZKA_ORDER_NN, 0, nullptr) == ZKA_OK);
        peak = std::max(peak, base + (on_plugin() ? device : host));
        CHECK(held(shared).bytes_peak == peak);
        CHECK(held(shared).bytes == base);
      }
    }
  });
}
