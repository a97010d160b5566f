#include <algorithm>

#include "core/elements.h"
#include "msm/curve_answers.h"
#include "msm/points.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

void check_against_plain(const TestContext& context, zka_curve curve, size_t n, Random& random) {
  const auto points = odd_multiples(curve, n);
  const auto scalars = random.elements(plain::scalar_field(curve), n);
  INFO("curve ", curve, ", n ", n);
  CHECK(TestBases(context, curve, points).msm(scalars)[0] == plain::msm(curve, points.data(), scalars.data(), n));
}

zka_fe power_of_two(unsigned bit) {
  zka_fe value{};
  value.l[bit / 64] = uint64_t{1} << (bit % 64);
  return value;
}

}  // namespace

TEST_CASE("multiples and sums of points are those that were worked out elsewhere") {
  in_each_context([](const TestContext& context) {
    for (const CurveAnswer& known : CURVE_ANSWERS) {
      // Three precomputed multiples make parts of full limbs.
      for (const uint32_t precompute : {0u, 3u}) {
        const TestBases bases(context, known.curve, {known.points[0], known.points[1]}, precompute);
        CHECK(bases.msm({known.scalars[0], known.scalars[1]})[0] == known.sum);
      }
    }
  });
}

TEST_CASE("sums of all small sizes are those of doubling and adding") {
  Random random(1);
  in_each_context([&](const TestContext& context) {
    for (const zka_curve curve : CURVES) {
      for (const size_t n : {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65}) check_against_plain(context, curve, n, random);
    }
  });
}

TEST_CASE("sums of larger sizes equal the multiple computed with plain numbers, for any threads and set of instructions") {
  Random random(2);
  for (const zka_curve curve : CURVES) {
    const size_t most = up_to(4097, 1025);
    const auto points = odd_multiples(curve, most);
    const auto scalars = random.elements(plain::scalar_field(curve), most);
    std::vector<zka_affine> expected;
    for (size_t n = 128; n <= 4096; n *= 2) {
      for (const size_t size : {n - 1, n, n + 1}) {
        if (size <= most) expected.push_back(sum_of_multiples(curve, of_odd_multiples(size), scalars.data()));
      }
    }
    in_each_context([&](const TestContext& context) {
      size_t k = 0;
      for (size_t n = 128; n <= 4096; n *= 2) {
        for (const size_t size : {n - 1, n, n + 1}) {
          if (size > most) continue;
          INFO("n ", size);
          const std::vector<zka_fe> some(scalars.begin(), scalars.begin() + static_cast<std::ptrdiff_t>(size));
          const std::vector<zka_affine> bases(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(size));
          CHECK(TestBases(context, curve, bases).msm(some)[0] == expected[k++]);
        }
      }
    });
  }
}

TEST_CASE("scalars and points made to hit the corners are summed right") {
  const size_t n = up_to(800, on_plugin() ? 100 : 300);
  for (const zka_curve curve : CURVES) {
    Random random(3);
    const zka_field field = plain::scalar_field(curve);
    auto distinct = odd_multiples(curve, n);
    auto opposite = distinct, holed = distinct;
    for (size_t i = 1; i < n; i += 2) opposite[i] = plain::negated(curve, opposite[i - 1]);
    for (size_t i = 0; i < n; i += 3) holed[i] = IDENTITY;
    struct Bases {
      std::vector<zka_affine> points;
      Multiples multiples;
    };
    Multiples of_opposite = of_odd_multiples(n), of_holed = of_opposite;
    for (size_t i = 1; i < n; i += 2) of_opposite[i] = -of_opposite[i - 1];
    for (size_t i = 0; i < n; i += 3) of_holed[i] = 0;
    const std::vector<Bases> bases = {{distinct, of_odd_multiples(n)},
                                      {opposite, of_opposite},
                                      {holed, of_holed},
                                      {std::vector<zka_affine>(n, distinct[0]), Multiples(n, 3)},
                                      {std::vector<zka_affine>(n, IDENTITY), Multiples(n, 0)}};

    std::vector<std::vector<zka_fe>> columns;
    for (const zka_fe& value : {fe(0), fe(1), fe(2), below(field, 1), below(field, 2), power_of_two(126),
                                power_of_two(127), power_of_two(253), random.element(field)}) {
      columns.emplace_back(n, value);
    }
    std::vector<zka_fe> mostly_ones(n, fe(1)), booth(n), bits(n), half(n);
    for (size_t i = 0; i < n; i += 10) mostly_ones[i] = random.element(field);
    for (size_t i = 0; i < n; ++i) {
      booth[i] = power_of_two(static_cast<unsigned>(i % 253));
      if (i % 2 == 1) booth[i].l[0] += 1;
      if (i % 3 == 1) booth[i].l[i % 253 / 64] -= 1;
      bits[i] = fe(random.word() >> (i % 64));
      half[i] = below(field, 0);
      for (int limb = 0; limb < 3; ++limb) half[i].l[limb] = half[i].l[limb] >> 1 | half[i].l[limb + 1] << 63;
      half[i].l[3] >>= 1;
      half[i].l[0] += i % 3;  // from (p - 1) / 2 on
    }
    columns.insert(columns.end(), {mostly_ones, booth, bits, half});

    for (const Bases& of : bases) {
      std::vector<zka_fe> all;
      std::vector<zka_affine> expected;
      for (const auto& column : columns) {
        all.insert(all.end(), column.begin(), column.end());
        expected.push_back(sum_of_multiples(curve, of.multiples, column.data()));
      }
      in_each_context([&](const TestContext& context) {
        for (const uint32_t precompute : {0u, 1u, 4u}) {
          const auto sums = TestBases(context, curve, of.points, precompute).msm(all, columns.size());
          for (size_t k = 0; k < sums.size(); ++k) {
            INFO("precompute ", precompute, ", column ", k, ", points from ", of.points[0] == IDENTITY ? 0 : 1);
            CHECK(sums[k] == expected[k]);
          }
        }
      });
    }
  }
}

TEST_CASE("buckets that end where a tile does, begin there or reach over several are summed right") {
  in_each_context([](const TestContext& context) {
    const size_t tile = on_plugin() ? 256 : 8192;
    const auto few = odd_multiples(ZKA_CURVE_BN254, 16);
    for (const size_t ones : {tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1}) {
      // One of 1, 2 and 3 times the points, in the order of their buckets.
      std::vector<zka_affine> points;
      std::vector<zka_fe> scalars;
      uint64_t multiple = 0;
      for (size_t i = 0; i < ones + 200; ++i) {
        const uint64_t scalar = i < ones ? 1 : i < ones + 100 ? 2 : 3;
        points.push_back(few[i % 16]);
        scalars.push_back(fe(scalar));
        multiple += scalar * (2 * (i % 16) + 3);
      }
      const zka_affine one = plain::generator(ZKA_CURVE_BN254);
      const zka_fe total = fe(multiple);
      INFO("ones ", ones);
      const auto sum = TestBases(context, ZKA_CURVE_BN254, points).msm(scalars)[0];
      CHECK(sum == plain::msm(ZKA_CURVE_BN254, &one, &total, 1));
    }
  });
}

TEST_CASE("the sum of two columns' sums is that of the sum of the columns, from any first base") {
  in_each_context([](const TestContext& context) {
    const size_t n = up_to(20000, 2000), first = 17;
    for (const zka_curve curve : CURVES) {
      Random random(4);
      const zka_field field = plain::scalar_field(curve);
      const auto points = odd_multiples(curve, n + first);
      const TestBases bases(context, curve, points);
      CHECK(bases.msm({fe(1)}, 1, first)[0] == points[first]);
      auto columns = random.elements(field, 2 * n);
      const auto both = bases.msm(columns, 2, first);
      for (size_t i = 0; i < n; ++i) {
        uint64_t carry = 0;
        zka_fe& sum = columns[i];
        for (int limb = 0; limb < 4; ++limb) {
          sum.l[limb] = zka::portable::add_carry(sum.l[limb], columns[n + i].l[limb], carry);
        }
        zka::portable::reduce_once(sum.l, zka::modulus_of(field));
      }
      columns.resize(n);
      CHECK(bases.msm(columns, 1, first)[0] == plain::add(curve, both[0], both[1]));
    }
  });
}
