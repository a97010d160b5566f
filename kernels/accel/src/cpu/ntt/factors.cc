#include "cpu/ntt/factors.h"

#include <algorithm>

#include "ff/constant_product.h"

namespace zka::cpu {

Factors Factors::powers(Memory& memory, Isa isa, uint64_t n, Fr start, const Fr& ratio) {
  Factors all(memory, isa, n);
  for (uint64_t i = 0; i < n; ++i, start *= ratio) all.set(i, start);
  return all;
}

void Factors::set(uint64_t i, const Fr& value) {
  uint64_t* const to = words_.data() + i * words_each(isa_);
  if (isa_ != Isa::ifma) {
    const auto constant = ZKA_ISA::Constant<FrParams>::of(value);
    std::copy_n(constant.w, 4, to);
    std::copy_n(constant.quotient, 4, to + 4);
    return;
  }
  constexpr uint64_t MASK = (uint64_t{1} << 52) - 1;
  const Fr inner = value.dbl().dbl().dbl().dbl();  // from x * 2^256 to x * 2^260
  const uint64_t(&l)[4] = inner.l;
  to[0] = l[0] & MASK;
  to[1] = (l[0] >> 52 | l[1] << 12) & MASK;
  to[2] = (l[1] >> 40 | l[2] << 24) & MASK;
  to[3] = (l[2] >> 28 | l[3] << 36) & MASK;
  to[4] = l[3] >> 16;
}

}  // namespace zka::cpu
