// Multi-scalar multiplication on a device.
#pragma once
#include <memory>

#include "core/operations/msm.h"
#include "gpu/device/device.h"

namespace zka::gpu {

std::unique_ptr<MsmOperations> msm_operations(Device& device);

}  // namespace zka::gpu
