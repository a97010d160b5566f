// Digits of a part. They are found without the carries of other windows: digit w of the value v is
// floor((v / 2^(cw-1) mod 2^(c+1) + 1) / 2), less 2^c where the topmost of those c + 1 bits is set.
// [Booth, "A signed binary multiplication technique", 1951, in radix 2^c]
#pragma once
#include "cpu/msm/terms.h"
#include "ff/hd.h"
#include "ff/isa.h"

namespace zka::ZKA_ISA {

inline constexpr uint64_t SIGN = uint64_t{1} << 63;

// Windows whose digits can be other than zero.
ZKA_HD constexpr unsigned windows_of(unsigned bits, unsigned c) { return bits / c + 1; }

struct Digit {
  uint32_t bucket;  // its size, 0 for none
  bool negative;
};

ZKA_HD inline Digit digit_of(const uint64_t* part, unsigned limbs, unsigned window, unsigned c) {
  const auto limb = [&](unsigned i) { return i + 1 < limbs ? part[i] : i + 1 == limbs ? part[i] & ~SIGN : 0; };
  uint64_t value;
  if (window == 0) {
    value = limb(0) << 1;
  } else {
    const unsigned from = window * c - 1, word = from / 64, shift = from % 64;
    value = limb(word) >> shift;
    if (shift + c >= 64) value |= limb(word + 1) << (64 - shift);
  }
  const uint32_t bits = static_cast<uint32_t>(value & ((uint64_t{2} << c) - 1));
  const bool upper = (bits >> c) != 0;
  const uint32_t half = (bits + 1) >> 1;
  return {upper ? (uint32_t{1} << c) - half : half, upper != ((part[limbs - 1] & SIGN) != 0)};
}

}  // namespace zka::ZKA_ISA
