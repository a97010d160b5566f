#include "ntt/domains.h"
#include "transform_answers.h"

using namespace zka::test;

namespace {

template <size_t N>
std::vector<zka_fe> list(const zka_fe (&values)[N]) {
  return {values, values + N};
}

}  // namespace

TEST_CASE("transforms, extension and division by the vanishing polynomial are those that Python worked out") {
  in_each_context([](const TestContext& context) {
    const TestDomain domain(context, 3, 5);
    CHECK(domain.ntt(context, list(COEFFICIENTS), ZKA_NTT_FORWARD, ZKA_ORDER_NN, false) == list(VALUES));
    CHECK(domain.ntt(context, list(VALUES), ZKA_NTT_INVERSE, ZKA_ORDER_NN, false) == list(COEFFICIENTS));
    const TestBuffer from(context, FR, list(COEFFICIENTS)), extended(context, FR, 32);
    REQUIRE(zka_coeff_to_extended(domain, from, extended, nullptr) == ZKA_OK);
    CHECK(extended.read() == list(EXTENDED_VALUES));
    const TestBuffer ones(context, FR, std::vector<zka_fe>(32, fe(1)));
    REQUIRE(zka_divide_by_vanishing(domain, ones, nullptr) == ZKA_OK);
    CHECK(ones.read() == list(VANISHING_INVERSES));
  });
}

TEST_CASE("inverses and a running product are those that Python worked out") {
  in_each_context([](const TestContext& context) {
    const TestBuffer inverted(context, FR, list(DENOMINATORS));
    REQUIRE(zka_batch_inverse(inverted, 0, 4, nullptr) == ZKA_OK);
    CHECK(inverted.read() == list(INVERSES));
    const TestBuffer num(context, FR, list(COEFFICIENTS)), den(context, FR, list(DIVISORS)), z(context, FR, 5);
    const zka_fe start = montgomery(context, RUNNING[0]);
    REQUIRE(zka_grand_product(num, den, &start, 4, z, nullptr) == ZKA_OK);
    CHECK(z.read() == list(RUNNING));
  });
}
