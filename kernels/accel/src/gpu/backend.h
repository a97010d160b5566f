// The backend for GPUs, and on an emulated one.
#pragma once
#include <memory>

#include "core/backend.h"
#include "core/memory.h"
#include "zkaccel/context.h"

namespace zka::gpu {

// Throws Failure NO_DEVICE, DRIVER. `host_memory` outlives it.
std::unique_ptr<Backend> open_backend(const zka_config& config, Memory& host_memory);

}  // namespace zka::gpu
