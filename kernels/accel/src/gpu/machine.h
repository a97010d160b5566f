// What the operations of this backend share.
#pragma once
#include "core/memory.h"
#include "gpu/device/device.h"

namespace zka::gpu {

struct Machine {
  Memory& memory;  // of the host
  Device device;
};

}  // namespace zka::gpu
