// Multi-scalar multiplication on the CPU.
#pragma once
#include <memory>

#include "core/operations/msm.h"
#include "cpu/machine.h"

namespace zka::cpu {

std::unique_ptr<MsmOperations> msm_operations(Machine& machine);

}  // namespace zka::cpu
