#include <bit>

#include "ec/curve.h"
#include "ec/jacobian.h"
#include "msm/points.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

constexpr zka_curve CURVE = ZKA_CURVE_BN254;

// As odd_multiples, with one inversion for many.
std::vector<zka_affine> many_odd_multiples(zka_ctx* ctx, size_t n) {
  using Point = zka::portable::Bn254::Point;
  using Sum = zka::portable::Jacobian<zka::portable::Fq>;
  const zka_affine one = plain::generator(CURVE);
  const auto two = std::bit_cast<Point>(plain::add(CURVE, one, one));
  auto last = Sum::from(std::bit_cast<Point>(one));
  std::vector<zka_jacobian> sums(n);
  for (zka_jacobian& sum : sums) sum = std::bit_cast<zka_jacobian>(last = last + two);
  std::vector<zka_affine> points(n);
  REQUIRE(zka_to_affine(ctx, CURVE, sums.data(), n, points.data()) == ZKA_OK);
  return points;
}

// The sum over i of (2i + 3) * scalars[i], canonical.
zka_fe whole_multiple(zka_ctx* ctx, const std::vector<zka_fe>& scalars) {
  std::vector<zka_fe> odd(scalars.size());
  for (size_t i = 0; i < odd.size(); ++i) odd[i] = fe(2 * i + 3);
  const TestBuffer products(ctx, FR, scalars), multiples(ctx, FR, odd), sum(ctx, FR, 1);
  REQUIRE(zka_vector_op_apply(ZKA_OP_MUL, products, multiples, products, scalars.size(), nullptr) == ZKA_OK);
  const zka_fe one = TestBuffer(ctx, FR, {fe(1)}).read(ZKA_FORM_MONTGOMERY)[0];
  zka_buf* const polys[] = {products};
  zka_fe value;
  REQUIRE(zka_poly_eval(polys, 1, &one, 1, &value, nullptr) == ZKA_OK);
  return TestBuffer(ctx, FR, {value}, ZKA_FORM_MONTGOMERY).read()[0];
}

}  // namespace

TEST_CASE("sums of more than 2^18 points, of more columns than are split at once, are right") {
  const size_t n = (size_t{1} << 18) + 1, columns = 4;
  Random random(8);
  // One scalar of sixteen is long, more than a tile has, and the other columns are of short ones: that costs less.
  std::vector<zka_fe> scalars;
  while (scalars.size() < n) scalars.push_back(scalars.size() % 16 == 0 ? random.element(FR) : fe(random.word() >> 44));
  scalars[n - 1] = below(FR, 1);
  while (scalars.size() < columns * n) scalars.push_back(fe(random.word() >> 44));
  std::vector<zka_affine> points, expected;
  for (const uint32_t isa : isas()) {
    const TestContext context(cpu_config(isa, 2));
    if (points.empty()) {
      points = many_odd_multiples(context, n);
      for (size_t k = 0; k < columns; ++k) {
        const zka_fe multiple = whole_multiple(context, {&scalars[k * n], &scalars[k * n] + n});
        const zka_affine one = plain::generator(CURVE);
        expected.push_back(plain::msm(CURVE, &one, &multiple, 1));
      }
    }
    CHECK(TestBases(context, CURVE, points).msm(scalars, columns) == expected);
  }
}
