// Numbers that callers hand in as a field or as a curve, and that none of the library has.
#pragma once
#include <cstdint>

namespace zka {

// Throws INVALID_ARG with the number. Not inline, so that no *.isa.cc has the code for the message.
[[noreturn]] void refuse_id(const char* what, uint32_t id);

}  // namespace zka
