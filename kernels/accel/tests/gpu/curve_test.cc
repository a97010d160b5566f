// The curves' formulas over a device's fields, against the same over the CPU's.
#include "ec/curve.h"

#include <doctest/doctest.h>

#include <vector>

#include "ec/jacobian.h"
#include "ec/xyzz.h"
#include "gpu/field/field.h"

using namespace zka::ZKA_ISA;
using GpuFq = zka::gpu::Fq;

namespace {

GpuFq on_device(const Fq& value) { return GpuFq::of(value.l); }
Affine<GpuFq> on_device(const Affine<Fq>& point) { return {on_device(point.x), on_device(point.y)}; }
template <class F>
Affine<F> affine(const Xyzz<F>& point) {
  return Jacobian<F>::from(point).to_affine();
}

// The identity, and multiples of the generator (1, 2) from -2 to 3.
std::vector<Affine<Fq>> points() {
  const Affine<Fq> one{Fq::from_u64(1), Fq::from_u64(2)};
  const auto two = Xyzz<Fq>::from(one).dbl();
  return {Affine<Fq>::identity(), one, -one, affine(two), -affine(two), affine(two + one)};
}

}  // namespace

TEST_CASE("a device's sums of points are the CPU's, of equal points, opposite ones and the identity too") {
  for (const auto& p : points()) {
    for (const auto& q : points()) {
      const auto sum = Xyzz<Fq>::from(p) + q;
      const auto on_gpu = Xyzz<GpuFq>::from(on_device(p)) + on_device(q);
      CHECK(affine(on_gpu) == on_device(affine(sum)));
      CHECK(affine(on_gpu + on_gpu) == on_device(affine(sum.dbl())));
      CHECK(affine(on_gpu + Xyzz<GpuFq>::from(on_device(p)).dbl()) == on_device(affine(sum + p + p)));
      const auto jacobian = Jacobian<GpuFq>::from(on_device(p)) + on_device(q);
      CHECK(jacobian.to_affine() == on_device(affine(sum)));
      CHECK((jacobian + jacobian).to_affine() == on_device(affine(sum.dbl())));
    }
    CHECK(Bn254::has(p));
  }
}
