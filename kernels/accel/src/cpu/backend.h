// The backend that computes on the CPU.
#pragma once
#include <memory>

#include "core/backend.h"
#include "core/memory.h"
#include "zkaccel/context.h"

namespace zka::cpu {

// `memory` outlives it. Throws Failure UNSUPPORTED, INVALID_ARG, OOM_HOST.
std::unique_ptr<Backend> open_backend(const zka_config& config, Memory& memory);

}  // namespace zka::cpu
