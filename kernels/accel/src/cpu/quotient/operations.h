// Programs on the CPU.
#pragma once
#include <memory>

#include "core/operations/quotient.h"
#include "cpu/machine.h"

namespace zka::cpu {

std::unique_ptr<QuotientOperations> quotient_operations(Machine& machine);

}  // namespace zka::cpu
