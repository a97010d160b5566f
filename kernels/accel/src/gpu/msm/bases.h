// Points that a device keeps for many multiplications, and multiples of them.
#pragma once
#include "core/operations/msm.h"
#include "cpu/msm/terms.h"
#include "gpu/device/array.h"

namespace zka::gpu {

class DeviceBases : public Prepared {
 public:
  // Throws Failure NON_CANONICAL, NOT_ON_CURVE, SIZE, OOM_DEVICE. Waits for the queue.
  DeviceBases(DeviceQueue& queue, zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute, bool check,
              size_t* bad_index);
  static uint64_t bytes(size_t n, uint32_t precompute);

  zka_curve curve() const noexcept { return curve_; }
  const Split& split() const noexcept { return split_; }
  // Part p of point i is [p * stride() + i].
  const zka_affine* points() const noexcept { return points_.data(); }
  size_t stride() const noexcept { return n_; }

 private:
  const zka_curve curve_;
  const size_t n_;
  const Split split_;
  DeviceArray<zka_affine> points_;
};

}  // namespace zka::gpu
