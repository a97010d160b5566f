// The validation of a program before anything runs it.
#pragma once
#include <span>

#include "core/memory.h"
#include "zkaccel/quotient.h"

namespace zka {

// Every operation known, every index in range, operands that an operation has not all zero, every register written before
// it is read, register 0 at the end. `desc.code` and `desc.consts` are readable. Throws Failure PROGRAM, whose words name
// the first instruction at fault (from 0), or NON_CANONICAL for a constant.
void check_program(Memory& memory, const zka_program_desc& desc);

}  // namespace zka
