// One call of multi-scalar multiplication on a device: columns of scalars over the same bases.
#pragma once
#include "gpu/msm/bases.h"
#include "gpu/msm/plan.h"

namespace zka::gpu {

// out[k] = sum of scalars[k * n + i] * bases[first + i], with z = 1, or (0, 1, 0); `out` is the host's, written when the
// queue is synced. Throws Failure OOM_DEVICE, CANCELLED, POISONED.
void multiply(DeviceQueue& queue, const DeviceBases& bases, size_t first, const MsmPlan& plan, const zka_fe* scalars,
              size_t n, size_t batch, zka_jacobian* out);

}  // namespace zka::gpu
