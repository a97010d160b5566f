#include "msm/points.h"

using namespace zka::test;
namespace plain = zka::reference;

TEST_CASE("many columns of few scalars are done some at a time, in little memory, and each has its sum") {
  const TestContext context;
  const TestBases bases(context, ZKA_CURVE_BN254, {plain::generator(ZKA_CURVE_BN254)});
  uint64_t host = 0, device = 0;
  REQUIRE(zka_msm_mem(bases, 1, size_t{1} << 19, &host, &device) == ZKA_OK);
  CHECK(host < uint64_t{1} << 24);

  // More than are done at a time on the CPU.
  const size_t columns = on_plugin() ? up_to(200, 20) : 5000;
  std::vector<zka_fe> scalars(columns);
  for (size_t i = 0; i < columns; ++i) scalars[i] = fe(i % 5);
  std::vector<zka_affine> expected;
  for (uint64_t k = 0; k < 5; ++k) {
    const zka_affine point = plain::generator(ZKA_CURVE_BN254);
    const zka_fe times = fe(k);
    expected.push_back(plain::msm(ZKA_CURVE_BN254, &point, &times, 1));
  }
  const auto sums = bases.msm(scalars, columns);
  size_t right = 0;
  for (size_t i = 0; i < columns; ++i) right += sums[i] == expected[i % 5];
  CHECK(right == columns);
}
