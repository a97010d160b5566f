// Points to multiply, and a call that reads like the sum it makes.
#pragma once
#include <vector>

#include "reference/msm.h"
#include "support/buffers.h"

inline bool operator==(const zka_affine& a, const zka_affine& b) { return a.x == b.x && a.y == b.y; }

namespace zka::test {

constexpr zka_curve CURVES[] = {ZKA_CURVE_BN254, ZKA_CURVE_GRUMPKIN};
constexpr zka_affine IDENTITY{};

inline zka_field scalar_field(zka_curve curve) {
  return curve == ZKA_CURVE_BN254 ? ZKA_FIELD_BN254_FR : ZKA_FIELD_BN254_FQ;
}

// The generator times 3, 5, 7 and so on.
inline std::vector<zka_affine> odd_multiples(zka_curve curve, size_t n) {
  std::vector<zka_affine> points(n);
  const zka_affine one = reference::generator(curve), two = reference::add(curve, one, one);
  zka_affine last = one;
  for (zka_affine& point : points) point = last = reference::add(curve, last, two);
  return points;
}

class TestBases {
 public:
  TestBases(zka_ctx* ctx, zka_curve curve, const std::vector<zka_affine>& points, uint32_t tables = 0, bool check = true)
      : ctx_(ctx), curve_(curve) {
    REQUIRE(zka_bases_create(ctx, curve, points.data(), points.size(), tables, check, nullptr, &bases_) == ZKA_OK);
  }
  ~TestBases() { zka_bases_free(bases_); }
  TestBases(const TestBases&) = delete;
  TestBases& operator=(const TestBases&) = delete;
  operator zka_bases*() const noexcept { return bases_; }

  // Of canonical scalars, `batch` columns of them, from point `first` on.
  std::vector<zka_affine> msm(const std::vector<zka_fe>& scalars, size_t batch = 1, size_t first = 0) const {
    const TestBuffer factors(ctx_, scalar_field(curve_), scalars);
    std::vector<zka_jacobian> sums(batch);
    const size_t n = batch == 0 ? 0 : scalars.size() / batch;
    REQUIRE(zka_msm(bases_, first, factors, 0, n, batch, sums.data(), nullptr) == ZKA_OK);
    std::vector<zka_affine> points(batch);
    REQUIRE(zka_to_affine(ctx_, curve_, sums.data(), batch, points.data()) == ZKA_OK);
    return points;
  }

 private:
  zka_ctx* ctx_;
  zka_curve curve_;
  zka_bases* bases_ = nullptr;
};

}  // namespace zka::test
