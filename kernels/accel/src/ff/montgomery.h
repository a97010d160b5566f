// Montgomery multiplication, R = 2^256, of values below a prime whose top limb is below 2^63 - 1: then row by row
// (CIOS) nothing is carried out of the top limb, and one word of carries is spared. [Acar, "High-speed algorithms and
// architectures for number-theoretic cryptosystems", 1998; the spared carry: the notes of gnark-crypto on goff, 2020]
#pragma once
#include "limbs.h"
#if defined(ZKA_HAVE_ADX)
#include "montgomery_adx.h"
#endif

namespace zka::ZKA_ISA {

// Not reduced: below a*b/2^256 + p. One factor may be up to 4p, which is below 2^256, the other is below p: then the
// result is below 2p, and still nothing is carried out of the top limb.
template <class Params>
inline void montgomery_product_portable(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t t[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    uint64_t high = 0;
    t[0] = mul_add(t[0], a[0], b[i], high);
    const uint64_t m = t[0] * Params::minus_inverse;
    uint64_t carry = 0;
    mul_add(t[0], m, Params::modulus[0], carry);
    for (int j = 1; j < 4; ++j) {
      t[j] = mul_add(t[j], a[j], b[i], high);
      t[j - 1] = mul_add(t[j], m, Params::modulus[j], carry);
    }
    t[3] = high + carry;
  }
  for (int i = 0; i < 4; ++i) out[i] = t[i];
}

// These two are not inlined, or the compiler would put some hundred instructions into every place of use.
template <class Params>
[[gnu::noinline]] inline void montgomery_product(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
#if defined(ZKA_HAVE_ADX)
  montgomery_product_adx<Params>(out, a, b);
#else
  montgomery_product_portable<Params>(out, a, b);
#endif
}

// Of values below p; below p again.
template <class Params>
[[gnu::noinline]] inline void montgomery_mul(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
#if defined(ZKA_HAVE_ADX)
  montgomery_product_adx<Params>(out, a, b);
#else
  montgomery_product_portable<Params>(out, a, b);
#endif
  reduce_once(out, Params::modulus);
}

}  // namespace zka::ZKA_ISA
