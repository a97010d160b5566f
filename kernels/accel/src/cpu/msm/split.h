// Scalars in parts.
#pragma once
#include <algorithm>
#include <bit>

#include "cpu/msm/digits.h"
#include "ec/curve.h"
#include "ff/limbs.h"

namespace zka::ZKA_ISA {

// value mod 2^128 += a * b
inline void mul_add_128(uint64_t value[2], const uint64_t a[2], const uint64_t b[2]) {
  uint64_t carry = 0;
  value[0] = mul_add(value[0], a[0], b[0], carry);
  value[1] += carry + a[0] * b[1] + a[1] * b[0];
}
inline void negate_128(uint64_t value[2]) {
  value[0] = ~value[0] + 1;
  value[1] = ~value[1] + (value[0] == 0);
}

// round(k * g / 2^256), which is below 2^128.
inline void rounded_quotient(uint64_t out[2], const uint64_t k[4], const uint64_t g[3]) {
  uint64_t product[7] = {};
  for (int i = 0; i < 3; ++i) {
    uint64_t carry = 0;
    for (int j = 0; j < 4; ++j) product[i + j] = mul_add(product[i + j], g[i], k[j], carry);
    product[i + 4] = carry;
  }
  uint64_t carry = product[3] >> 63;
  out[0] = add_carry(product[4], 0, carry);
  out[1] = product[5] + carry;
}

// The two halves of k, each with its sign in the topmost bit. [tools/curve_constants.py]
template <class Params>
void split_by_endomorphism(const uint64_t k[4], uint64_t first[2], uint64_t second[2]) {
  uint64_t c1[2], c2[2], away[2] = {0, 0};
  rounded_quotient(c1, k, Params::g1);
  rounded_quotient(c2, k, Params::g2);
  mul_add_128(away, c1, Params::a1);
  mul_add_128(away, c2, Params::a2);
  uint64_t borrow = 0;
  first[0] = sub_borrow(k[0], away[0], borrow);
  first[1] = sub_borrow(k[1], away[1], borrow);
  second[0] = second[1] = 0;
  mul_add_128(second, c1, Params::b1);
  mul_add_128(second, c2, Params::b2);
  negate_128(second);
  for (uint64_t* half : {first, second}) {
    if ((half[1] & SIGN) == 0) continue;
    negate_128(half);
    half[1] |= SIGN;
  }
}

// Bits of k from `at` on.
ZKA_HD inline void cut(const uint64_t k[4], unsigned at, unsigned bits, uint64_t* out) {
  for (unsigned i = 0; i <= bits / 64; ++i) {
    const unsigned from = at + 64 * i, word = from / 64, shift = from % 64, left = bits - 64 * i;
    const auto limb = [&](unsigned j) { return j < 4 ? k[j] : 0; };
    const uint64_t value = shift == 0 ? limb(word) : limb(word) >> shift | limb(word + 1) << (64 - shift);
    out[i] = left >= 64 ? value : value & ((uint64_t{1} << left) - 1);
  }
}

inline unsigned length_of(const uint64_t* part, unsigned limbs) {
  for (unsigned i = limbs; i-- > 0;) {
    const uint64_t limb = i + 1 == limbs ? part[i] & ~SIGN : part[i];
    if (limb != 0) return 64 * i + static_cast<unsigned>(std::bit_width(limb));
  }
  return 0;
}

// Of scalars [begin, end): terms whose point is the identity count nothing, whatever their scalar.
template <class C>
void split_scalars(const Terms& terms, const zka_fe* scalars, size_t begin, size_t end, uint64_t* parts,
                   Lengths& lengths) {
  const auto& split = terms.split;
  const unsigned limbs = split.limbs();
  for (size_t i = begin; i < end; ++i) {
    const auto part = [&](unsigned p) { return parts + (p * terms.n + i) * limbs; };
    uint64_t k[4] = {0, 0, 0, 0};
    if (!terms.has_identity || !reinterpret_cast<const typename C::Point*>(terms.points)[i].is_identity()) {
      reinterpret_cast<const typename C::Scalar*>(scalars)[i].to_canonical(k);
    }
    if (split.endomorphism) {
      split_by_endomorphism<typename C::Params>(k, part(0), part(1));
    } else {
      uint64_t negated[4];
      sub4(negated, C::Order::modulus, k);
      const bool negative = less4(negated, k);
      for (unsigned p = 0; p < split.parts; ++p) {
        cut(negative ? negated : k, p * split.bits, split.bits, part(p));
        if (negative) part(p)[limbs - 1] |= SIGN;
      }
    }
    for (unsigned p = 0; p < split.parts; ++p) ++lengths.count[length_of(part(p), limbs)];
  }
}

}  // namespace zka::ZKA_ISA
