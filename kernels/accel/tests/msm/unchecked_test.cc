#include <algorithm>

#include "msm/points.h"
#include "reference/plain_field.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

constexpr zka_field FQ = ZKA_FIELD_BN254_FQ;
constexpr zka_fe ALL_ONES = {{~0ull, ~0ull, ~0ull, ~0ull}};

zka_fe inside(zka_ctx* ctx, const zka_fe& canonical) {
  return TestBuffer(ctx, FQ, {canonical}).read(ZKA_FORM_MONTGOMERY)[0];
}

}  // namespace

TEST_CASE("points that are not checked may be off the curve: sums without them are right, and sums with them no failure") {
  in_each_context([](const TestContext& context) {
    const size_t n = up_to(1000, on_plugin() ? 200 : 600), off = n / 2;
    auto points = odd_multiples(ZKA_CURVE_BN254, n);
    const auto scalars = Random(9).elements(ZKA_FIELD_BN254_FR, n);
    // Twice the same, and with y = 0: what no point of the curve has.
    points[off] = points[off + 1] = {points[0].x, fe(0)};
    auto without = scalars;
    without[off] = without[off + 1] = fe(0);
    const zka_affine expected = plain::msm(ZKA_CURVE_BN254, points.data(), without.data(), n);
    for (const uint32_t precompute : {0u, 2u}) {
      const TestBases bases(context, ZKA_CURVE_BN254, points, precompute, false);
      bases.msm(scalars);
      CHECK(bases.msm(without)[0] == expected);
    }
  });
}

TEST_CASE("coordinates that are not below their modulus make no sum, and no failure either") {
  in_each_context([](const TestContext& context) {
    const std::vector<zka_affine> points(200, {ALL_ONES, ALL_ONES});
    const auto scalars = Random(10).elements(ZKA_FIELD_BN254_FR, 200);
    for (const uint32_t precompute : {0u, 1u}) TestBases(context, ZKA_CURVE_BN254, points, precompute, false).sums(scalars);
  });
}

TEST_CASE("returns the index and no affine points where a coordinate is not below its modulus") {
  in_each_context([](const TestContext& context) {
    for (const zka_curve curve : CURVES) {
      const zka_field base = plain::base_field(curve);
      for (zka_fe zka_jacobian::*coordinate : {&zka_jacobian::x, &zka_jacobian::y, &zka_jacobian::z}) {
        for (const zka_fe& beyond : {below(base, 0), ALL_ONES}) {
          std::vector<zka_jacobian> points(300, {fe(1), fe(2), fe(1)});
          points[200].*coordinate = points[299].*coordinate = beyond;
          std::vector<zka_affine> out(300, {fe(7), fe(7)});
          CHECK(zka_to_affine(context, curve, points.data(), 300, out.data()) == ZKA_E_NON_CANONICAL);
          CHECK(context.last_error() == "point 200 has a coordinate that is not below the modulus");
          CHECK(out == std::vector<zka_affine>(300, {fe(7), fe(7)}));
        }
      }
    }
  });
}

TEST_CASE("an affine point is (x/z^2, y/z^3), on the curve or not, and (0, 0) where z is 0") {
  in_each_context([](const TestContext& context) {
    Random random(11);
    std::vector<zka_jacobian> points;
    std::vector<zka_affine> expected;
    for (int i = 0; i < 300; ++i) {
      const zka_fe x = random.element(FQ), y = random.element(FQ), z = random.element(FQ), square = plain::mul(FQ, z, z);
      const zka_fe xzz = plain::mul(FQ, x, square), yzzz = plain::mul(FQ, y, plain::mul(FQ, square, z));
      const bool none = i % 7 == 0;
      points.push_back({inside(context, xzz), inside(context, yzzz), none ? fe(0) : inside(context, z)});
      expected.push_back(none ? IDENTITY : zka_affine{inside(context, x), inside(context, y)});
    }
    std::vector<zka_affine> out(points.size());
    REQUIRE(zka_to_affine(context, ZKA_CURVE_BN254, points.data(), points.size(), out.data()) == ZKA_OK);
    CHECK(out == expected);
  });
}
