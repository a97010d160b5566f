// What an instruction has.
#pragma once
#include "zkaccel/quotient.h"

namespace zka {

// Operands that an operation has, from the first; `op` is one of zka_insn_op.
constexpr int operands_of(uint32_t op) {
  switch (op) {
    case ZKA_INSN_ADD:
    case ZKA_INSN_SUB:
    case ZKA_INSN_MUL:
      return 2;
    case ZKA_INSN_MULADD:
      return 3;
    default:
      return 1;
  }
}

}  // namespace zka
