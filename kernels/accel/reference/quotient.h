// A program run row by row, as the header specifies it: the plain twin of src/core/program and src/cpu/quotient.
#pragma once
#include <vector>

#include "zkaccel/quotient.h"

namespace zka::reference {

// The program must be well-formed. Columns, challenges and `out` are in Montgomery form; `out` holds the previous values.
void evaluate_quotient(const zka_program_desc& program, const std::vector<std::vector<zka_fe>>& columns,
                       const std::vector<zka_fe>& challenges, uint64_t rotation_scale, std::vector<zka_fe>& out);

}  // namespace zka::reference
