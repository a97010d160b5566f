#include "gpu/msm/operations.h"

#include <bit>
#include <span>

#include "ff/field.h"
#include "gpu/emulated.h"
#include "msm/points.h"

using namespace zka::test;
namespace plain = zka::reference;

namespace {

// A device with so much memory (0: enough), on which columns of scalars are multiplied with bn256's points.
struct Multiplier : Emulated {
  explicit Multiplier(uint64_t bytes) : Emulated(with_memory(bytes)) {}

  std::unique_ptr<zka::MsmOperations> operations = zka::gpu::msm_operations(device);

  // Of canonical scalars; checks that it takes what it said beforehand.
  std::vector<zka_affine> of(const std::vector<zka_affine>& points, std::vector<zka_fe> scalars) {
    for (zka_fe& each : scalars) each = std::bit_cast<zka_fe>(zka::ZKA_ISA::Fr::from_canonical(each.l));
    const size_t n = points.size(), batch = scalars.size() / n;
    const auto bases = operations->bases(ZKA_CURVE_BN254, points.data(), n, 0, false, nullptr);
    const auto on_device = zka::gpu::uploaded(queue, std::span<const zka_fe>(scalars));
    const uint64_t before = device.bytes(), predicted = operations->msm_bytes(*bases, n, batch).device;
    std::vector<zka_jacobian> sums(batch);
    std::vector<zka_affine> results(batch);
    operations->msm(queue, *bases, 0, on_device.data(), n, batch, sums.data());
    queue.sync();
    CHECK(device.bytes_peak() == before + predicted);
    operations->to_affine(queue, ZKA_CURVE_BN254, sums.data(), batch, results.data());
    queue.sync();
    return results;
  }
};

std::vector<zka_affine> expected_of(const Multiples& multiples, const std::vector<zka_fe>& scalars) {
  std::vector<zka_affine> all;
  for (size_t at = 0; at < scalars.size(); at += multiples.size()) {
    all.push_back(sum_of_multiples(ZKA_CURVE_BN254, multiples, scalars.data() + at));
  }
  return all;
}

}  // namespace

TEST_CASE("rejects an unknown curve") {
  Multiplier of(0);
  const zka_jacobian sum{};
  zka_affine point;
  CHECK_THROWS_AS(of.operations->to_affine(of.queue, static_cast<zka_curve>(std::size(CURVES)), &sum, 1, &point),
                  zka::Failure);
}

TEST_CASE("where memory is short a multiplication is done in fewer columns, windows and pieces at a time, and takes less") {
  const size_t n = 1100, batch = 2;
  const auto points = odd_multiples(ZKA_CURVE_BN254, n);
  const auto scalars = Random(1).elements(ZKA_FIELD_BN254_FR, n * batch);
  const auto expected = expected_of(of_odd_multiples(n), scalars);
  Multiplier with_all(0);
  CHECK(with_all.of(points, scalars) == expected);
  const uint64_t held = n * (sizeof(zka_affine) + batch * sizeof(zka_fe));
  uint64_t last = with_all.device.bytes_peak();
  for (const uint64_t scratch : {400'000, 150'000, 50'000}) {
    INFO("scratch ", scratch);
    Multiplier with_less(held + scratch);
    CHECK(with_less.of(points, scalars) == expected);
    CHECK(with_less.device.bytes_peak() < last);
    last = with_less.device.bytes_peak();
  }
}

TEST_CASE("a bucket that has nearly all points is summed in items, and by a block") {
  const size_t n = 700;
  auto points = odd_multiples(ZKA_CURVE_BN254, n);
  std::vector<zka_fe> scalars(n, fe(1));
  Random random(2);
  for (size_t i = 0; i < n; i += 10) scalars[i] = random.element(ZKA_FIELD_BN254_FR);
  // Sums of items that are equal and opposite, as their points are.
  Multiples multiples(n, 3);
  for (size_t i = 1; i < n; ++i) {
    if (i % 64 >= 32) multiples[i] = -3;
    points[i] = i % 64 < 32 ? points[0] : plain::negated(ZKA_CURVE_BN254, points[0]);
  }
  CHECK(Multiplier(0).of(points, scalars) == expected_of(multiples, scalars));
}

TEST_CASE("a bucket that has more items than a block has threads is summed in turns") {
  const size_t n = 9000;
  const zka_affine point = plain::generator(ZKA_CURVE_BN254);
  const std::vector<zka_affine> points(n, point);
  CHECK(Multiplier(0).of(points, std::vector<zka_fe>(n, fe(1))) == expected_of({1}, {fe(n)}));
}
