// Numbers of eight 32-bit words, least significant first.
#pragma once
#include <cstdint>

#include "gpu/field/chain.h"

namespace zka::gpu {

struct alignas(16) Words {
  uint32_t w[8];

  static constexpr ZKA_HD Words of(const uint64_t (&limbs)[4]) {
    return {{static_cast<uint32_t>(limbs[0]), static_cast<uint32_t>(limbs[0] >> 32), static_cast<uint32_t>(limbs[1]),
             static_cast<uint32_t>(limbs[1] >> 32), static_cast<uint32_t>(limbs[2]),
             static_cast<uint32_t>(limbs[2] >> 32), static_cast<uint32_t>(limbs[3]),
             static_cast<uint32_t>(limbs[3] >> 32)}};
  }
  // Twice the number, which is below 2^255.
  constexpr ZKA_HD Words doubled() const {
    Words twice{};
    for (int i = 0; i < 8; ++i) twice.w[i] = w[i] << 1 | (i == 0 ? 0 : w[i - 1] >> 31);
    return twice;
  }

  ZKA_HD bool is_zero() const { return (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) == 0; }
  friend ZKA_HD bool operator==(Words a, Words b) {
    uint32_t differs = 0;
    ZKA_UNROLLED
    for (int i = 0; i < 8; ++i) differs |= a.w[i] ^ b.w[i];
    return differs == 0;
  }
};

// a + b, which is below 2^256.
ZKA_HD_INLINE Words sum(Words a, Words b) {
  Chain chain;
  Words out;
  out.w[0] = chain.add_cc(a.w[0], b.w[0]);
  ZKA_UNROLLED
  for (int i = 1; i < 7; ++i) out.w[i] = chain.addc_cc(a.w[i], b.w[i]);
  out.w[7] = chain.addc(a.w[7], b.w[7]);
  return out;
}

// a - b modulo 2^256; `borrow` is all ones where b was larger, else 0.
ZKA_HD_INLINE Words difference(Words a, Words b, uint32_t& borrow) {
  Chain chain;
  Words out;
  out.w[0] = chain.sub_cc(a.w[0], b.w[0]);
  ZKA_UNROLLED
  for (int i = 1; i < 8; ++i) out.w[i] = chain.subc_cc(a.w[i], b.w[i]);
  borrow = chain.subc(0, 0);
  return out;
}

ZKA_HD_INLINE bool less(Words a, Words b) {
  uint32_t borrow;
  difference(a, b, borrow);
  return borrow != 0;
}

// a - b where that is not negative, else a.
ZKA_HD_INLINE Words reduced_once(Words a, Words b) {
  uint32_t borrow;
  Words out = difference(a, b, borrow);
  ZKA_UNROLLED
  for (int i = 0; i < 8; ++i) out.w[i] = borrow != 0 ? a.w[i] : out.w[i];
  return out;
}

}  // namespace zka::gpu
