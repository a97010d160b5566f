// Constants that many elements are multiplied by, in the form that the hot loops want: eight words (ff/constant_product.h,
// Constant), or with IFMA five of 52 bits (ff/ifma52.h, Factor52).
#pragma once
#include <cstdint>

#include "core/job.h"
#include "ff/field.h"

namespace zka::cpu {

using Fr = ZKA_ISA::Fr;

class Factors {
 public:
  Factors() = default;
  Factors(Memory& memory, Isa isa, uint64_t n) : isa_(isa), words_(memory, n * words_each(isa)) {}
  // `of` start * ratio^i.
  static Factors powers(Memory& memory, Isa isa, uint64_t n, Fr start, const Fr& ratio);
  static uint64_t bytes(Isa isa, uint64_t n) { return Memory::counted(n * words_each(isa), sizeof(uint64_t)); }

  void set(uint64_t i, const Fr& value);
  const uint64_t* data() const { return words_.data(); }

 private:
  static uint64_t words_each(Isa isa) { return isa == Isa::ifma ? 5 : 8; }

  Isa isa_ = Isa::portable;
  Array<uint64_t> words_;
};

}  // namespace zka::cpu
