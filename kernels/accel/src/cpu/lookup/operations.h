// Lookups on the CPU.
#pragma once
#include <memory>

#include "core/operations/lookup.h"
#include "cpu/machine.h"

namespace zka::cpu {

std::unique_ptr<LookupOperations> lookup_operations(Machine& machine);

}  // namespace zka::cpu
