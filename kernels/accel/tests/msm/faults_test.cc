#include <algorithm>

#include "msm/points.h"

using namespace zka::test;
namespace plain = zka::reference;

TEST_CASE("rejects a point off the curve and a coordinate that is not reduced, with their index") {
  in_each_context([](const TestContext& context) {
    for (const zka_curve curve : CURVES) {
      auto points = odd_multiples(curve, 5000);
      const zka_field base = plain::base_field(curve);
      zka_bases* bases = nullptr;
      size_t index = 0;
      const auto create = [&] {
        return zka_bases_create(context, curve, points.data(), points.size(), 0, 1, &index, &bases);
      };
      points[4999].x = IDENTITY.x;
      CHECK(create() == ZKA_E_NOT_ON_CURVE);
      CHECK(index == 4999);
      CHECK(context.last_error() == "point 4999 is not on the curve (coordinates are in Montgomery form)");
      points[1234].y = below(base, 0);
      CHECK(create() == ZKA_E_NON_CANONICAL);
      CHECK(index == 1234);
      CHECK(bases == nullptr);
    }
  });
}

TEST_CASE("rejects bases, scalars and results that are out of range or null") {
  const TestContext context;
  const TestBases bases(context, ZKA_CURVE_BN254, odd_multiples(ZKA_CURVE_BN254, 8));
  const TestBuffer scalars(context, ZKA_FIELD_BN254_FR, 8), others(context, ZKA_FIELD_BN254_FQ, 8);
  zka_jacobian sum;
  CHECK(zka_bases_len(bases) == 8);
  CHECK(zka_msm(bases, 1, scalars, 0, 8, 1, &sum, nullptr) == ZKA_E_SIZE);
  CHECK(zka_msm(bases, SIZE_MAX, scalars, 0, 8, 1, &sum, nullptr) == ZKA_E_SIZE);
  CHECK(zka_msm(bases, 0, scalars, 1, 8, 1, &sum, nullptr) == ZKA_E_SIZE);
  CHECK(zka_msm(bases, 0, scalars, 0, 8, SIZE_MAX, &sum, nullptr) == ZKA_E_SIZE);
  CHECK(zka_msm(bases, 0, others, 0, 8, 1, &sum, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_msm(bases, 0, scalars, 0, 8, 1, nullptr, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_msm(nullptr, 0, scalars, 0, 8, 1, &sum, nullptr) == ZKA_E_INVALID_ARG);
  zka_bases* more = nullptr;
  CHECK(zka_bases_create(context, ZKA_CURVE_BN254, nullptr, 0, 253, 0, nullptr, &more) == ZKA_E_SIZE);
  const zka_affine point = plain::generator(ZKA_CURVE_BN254);
  const zka_fe modulus = below(ZKA_FIELD_BN254_FR, 0);
  CHECK(zka_msm_once(context, ZKA_CURVE_BN254, &point, &modulus, 1, &sum) == ZKA_E_NON_CANONICAL);
}

TEST_CASE("bases and a multiplication use exactly the memory that was predicted") {
  in_each_context([](const TestContext& context) {
    for (const size_t n : {size_t{1}, size_t{100}, up_to(5000, 600)}) {
      for (const uint32_t precompute : {0u, 2u}) {
        for (const size_t batch : {1, 3}) {
          const TestBuffer scalars(context, ZKA_FIELD_BN254_FR, Random(5).elements(ZKA_FIELD_BN254_FR, n * batch));
          const auto points = odd_multiples(ZKA_CURVE_BN254, n);
          const uint64_t before = held(context).bytes;
          const TestBases bases(context, ZKA_CURVE_BN254, points, precompute);
          const uint64_t with_bases = held(context).bytes;
          uint64_t host = 0, device = 1;
          CHECK(zka_bases_mem(context, ZKA_CURVE_BN254, n, precompute, &host, &device) == ZKA_OK);
          CHECK((on_plugin() ? device : host) == with_bases - before);
          CHECK((on_plugin() ? host : device) == 0);

          CHECK(zka_msm_mem(bases, n, batch, &host, &device) == ZKA_OK);
          std::vector<zka_jacobian> sums(batch);
          const uint64_t peak_before = held(context).bytes_peak;
          CHECK(zka_msm(bases, 0, scalars, 0, n, batch, sums.data(), nullptr) == ZKA_OK);
          const uint64_t peak = held(context).bytes_peak;
          CHECK(peak == std::max(peak_before, with_bases + (on_plugin() ? device : host)));
          CHECK(held(context).bytes == with_bases);
        }
      }
    }
  });
}
