#include "gpu/msm/bases.h"

#include <string>

#include "core/point_fault.h"
#include "ec/curve.h"
#include "gpu/grid/launch.h"
#include "gpu/msm/points.h"

namespace zka::gpu {
namespace {

Split split_for(uint32_t precompute) { return {precompute + 1, (SCALAR_BITS + precompute) / (precompute + 1), false}; }

// Throws Failure SIZE where they cannot be numbered.
uint64_t count_of(const Split& split, size_t n) {
  if (n < NEGATIVE / split.parts) return uint64_t{n} * split.parts;
  throw Failure(ZKA_E_SIZE, std::to_string(n) + " points, each " + std::to_string(split.parts) + " times, are too many");
}

void check_points(DeviceQueue& queue, zka_curve curve, const zka_affine* points, size_t n, size_t* bad_index) {
  constexpr uint64_t NONE = UINT64_MAX;
  const auto first = uploaded(queue, std::span<const uint64_t>(&NONE, 1));
  with_curve(curve, [&]<class C>(C) {
    launch(queue, over(n), FindFault<C>{reinterpret_cast<const typename C::Point*>(points), n, first.data()});
  });
  const uint64_t found = read_back(queue, first.data());
  if (found == NONE) return;
  refuse_point(found % 2 == 0 ? PointFault::NON_CANONICAL : PointFault::NOT_ON_CURVE, found / 2, bad_index);
}

}  // namespace

uint64_t DeviceBases::bytes(size_t n, uint32_t precompute) {
  return DeviceArray<zka_affine>::bytes(count_of(split_for(precompute), n));
}

DeviceBases::DeviceBases(DeviceQueue& queue, zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute,
                         bool check, size_t* bad_index)
    : curve_(curve), n_(n), split_(split_for(precompute)), points_(queue.device(), count_of(split_, n)) {
  queue.upload(points_.data(), points, n * sizeof(zka_affine));
  if (check) check_points(queue, curve, points_.data(), n, bad_index);
  for (unsigned part = 1; part < split_.parts; ++part) {
    with_curve(curve, [&]<class C>(C) {
      auto* const to = reinterpret_cast<typename C::Point*>(points_.data()) + part * n;
      launch(queue, over(n, DoubleOften<C>::THREADS_MAX), DoubleOften<C>{to - n, n, split_.bits, to});
    });
  }
  queue.sync();
}

}  // namespace zka::gpu
