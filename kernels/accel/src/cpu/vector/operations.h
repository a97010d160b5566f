// Element-wise operations on the CPU.
#pragma once
#include <memory>

#include "core/operations/vectors.h"
#include "cpu/machine.h"

namespace zka::cpu {

std::unique_ptr<VectorOperations> vector_operations(Machine& machine);

}  // namespace zka::cpu
