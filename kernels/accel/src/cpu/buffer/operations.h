// Buffers in the host's memory.
#pragma once
#include <memory>

#include "core/operations/buffers.h"
#include "cpu/machine.h"

namespace zka::cpu {

std::unique_ptr<BufferOperations> buffer_operations(Machine& machine);

}  // namespace zka::cpu
