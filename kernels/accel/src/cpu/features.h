// What this machine's CPU can do, and how much of it this process may use.
#pragma once
#include <cstdint>
#include <string>

#include "core/job.h"

namespace zka::cpu {

bool has(Isa isa);
const char* isa_name(Isa isa);
// Of a zka_isa. AUTO: what the environment's ZKA_CPU names, else the best. Throws Failure UNSUPPORTED for one that the
// CPU lacks, INVALID_ARG for a ZKA_CPU that names none.
Isa choose_isa(uint32_t wanted);
// CPUs that this process may run on; at least 1.
unsigned usable_threads();
// As the maker calls it.
std::string cpu_name();

}  // namespace zka::cpu
