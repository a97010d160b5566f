// Number theoretic transforms on the CPU.
#pragma once
#include <memory>

#include "core/operations/ntt.h"
#include "cpu/machine.h"

namespace zka::cpu {

std::unique_ptr<NttOperations> ntt_operations(Machine& machine);

}  // namespace zka::cpu
