// Memory of a device, and the way there and back.
#pragma once
#include <memory>

#include "core/operations/buffers.h"
#include "gpu/machine.h"

namespace zka::gpu {

std::unique_ptr<BufferOperations> buffer_operations(Machine& machine);

}  // namespace zka::gpu
