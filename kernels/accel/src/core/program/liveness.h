// Registers allocated again: as few as the order of the instructions allows.
#pragma once
#include <cstdint>
#include <span>

#include "core/memory.h"
#include "zkaccel/quotient.h"

namespace zka {

struct LeanCode {
  Array<zka_insn> insns;
  size_t n = 0;  // of them in use
  uint32_t nregisters = 0;

  std::span<const zka_insn> code() const noexcept { return {insns.data(), n}; }
};

// Of code that was checked. What is never read is left out, and a MOV is read through: its readers take what it moved,
// which nothing changes within a row. Then a register is free from the last reading of its value on, that reading's own
// result included; in a straight line no assignment does with fewer than that. [linear scan: Poletto and Sarkar, TOPLAS
// 21(5), 1999; exact without branches, where lifetimes are intervals] Throws Failure OOM_HOST, SIZE.
LeanCode lean_code(Memory& memory, std::span<const zka_insn> code);

}  // namespace zka
