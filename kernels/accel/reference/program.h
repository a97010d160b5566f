// The validation of a program, written plainly: the twin of src/core/program.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "zkaccel/quotient.h"

namespace zka::reference {

// The first instruction at fault; the last where register 0 is never written; none in a well-formed program. Of at least
// one instruction.
std::optional<size_t> first_fault(const zka_program_desc& program);
// The most values that are live at once, in a well-formed program without MOV.
uint32_t most_live(const zka_program_desc& program);

}  // namespace zka::reference
