// Points to multiply, and a call that reads like the sum it makes.
#pragma once
#include <bit>
#include <iterator>
#include <vector>

#include "reference/msm.h"
#include "reference/plain_field.h"
#include "support/buffers.h"

inline bool operator==(const zka_affine& a, const zka_affine& b) { return a.x == b.x && a.y == b.y; }

namespace zka::test {

constexpr zka_curve CURVES[] = {ZKA_CURVE_BN254, ZKA_CURVE_GRUMPKIN};
constexpr zka_affine IDENTITY{};

// The generator times 3, 5, 7 and so on. They are computed once, as far as a test needs them.
inline std::vector<zka_affine> odd_multiples(zka_curve curve, size_t n) {
  static std::vector<zka_affine> known[std::size(CURVES)];
  std::vector<zka_affine>& points = known[curve];
  const zka_affine one = reference::generator(curve);
  const zka_affine two = points.size() < n ? reference::add(curve, one, one) : one;
  while (points.size() < n) points.push_back(reference::add(curve, points.empty() ? one : points.back(), two));
  return {points.begin(), points.begin() + static_cast<std::ptrdiff_t>(n)};
}

// What points[i], a small multiple of the generator, is a multiple of it by; less than none is the negative.
using Multiples = std::vector<int64_t>;
inline Multiples of_odd_multiples(size_t n) {
  Multiples all(n);
  for (size_t i = 0; i < n; ++i) all[i] = static_cast<int64_t>(2 * i + 3);
  return all;
}

// The sum of canonical scalars[i] times those points: one multiple of the generator, by what plain numbers add up to.
inline zka_affine sum_of_multiples(zka_curve curve, const Multiples& multiples, const zka_fe* scalars) {
  const zka_field field = reference::scalar_field(curve);
  zka_fe sum{};
  for (size_t i = 0; i < multiples.size(); ++i) {
    zka_fe product{};
    const uint64_t size = static_cast<uint64_t>(multiples[i] < 0 ? -multiples[i] : multiples[i]);
    for (int bit = std::bit_width(size); bit-- > 0;) {
      product = reference::add(field, product, product);
      if (size >> bit & 1) product = reference::add(field, product, scalars[i]);
    }
    sum = multiples[i] < 0 ? reference::sub(field, sum, product) : reference::add(field, sum, product);
  }
  const zka_affine one = reference::generator(curve);
  return reference::msm(curve, &one, &sum, 1);
}

class TestBases {
 public:
  TestBases(zka_ctx* ctx, zka_curve curve, const std::vector<zka_affine>& points, uint32_t precompute = 0, bool check = true)
      : ctx_(ctx), curve_(curve) {
    REQUIRE(zka_bases_create(ctx, curve, points.data(), points.size(), precompute, check, nullptr, &bases_) == ZKA_OK);
  }
  ~TestBases() { zka_bases_free(bases_); }
  TestBases(const TestBases&) = delete;
  TestBases& operator=(const TestBases&) = delete;
  operator zka_bases*() const noexcept { return bases_; }

  // Of canonical scalars, `batch` columns of them, from point `first` on.
  std::vector<zka_jacobian> sums(const std::vector<zka_fe>& scalars, size_t batch = 1, size_t first = 0) const {
    const TestBuffer factors(ctx_, reference::scalar_field(curve_), scalars);
    std::vector<zka_jacobian> out(batch);
    const size_t n = batch == 0 ? 0 : scalars.size() / batch;
    REQUIRE(zka_msm(bases_, first, factors, 0, n, batch, out.data(), nullptr) == ZKA_OK);
    return out;
  }
  std::vector<zka_affine> msm(const std::vector<zka_fe>& scalars, size_t batch = 1, size_t first = 0) const {
    const auto found = sums(scalars, batch, first);
    std::vector<zka_affine> points(batch);
    REQUIRE(zka_to_affine(ctx_, curve_, found.data(), batch, points.data()) == ZKA_OK);
    return points;
  }

 private:
  zka_ctx* ctx_;
  zka_curve curve_;
  zka_bases* bases_ = nullptr;
};

}  // namespace zka::test
