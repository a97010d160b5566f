// Products by a constant w that is known long before: next to w is floor(w * 2^256 / p), so that the multiple of p to be
// taken away is the upper half of one product, of which the lower columns are left out, and only lower halves remain.
// [Shoup's, as described by Harvey, "Faster arithmetic for number-theoretic transforms", 2014, §2]
#pragma once
#include "field.h"
#if defined(ZKA_HAVE_ADX)
#include "constant_product_adx.h"
#endif

namespace zka::ZKA_ISA {

template <class Params>
struct Constant {
  uint64_t w[4];         // the number itself, not in Montgomery form: what it multiplies keeps its own form
  uint64_t quotient[4];  // floor(w * 2^256 / p)

  // Montgomery's reduction of w * 2^256 mod p adds m * p and divides by 2^256: m is that quotient.
  static Constant of(const Field<Params>& x) {
    Constant out;
    uint64_t t[4] = {x.l[0], x.l[1], x.l[2], x.l[3]};
    for (uint64_t& m : out.quotient) {
      m = t[0] * Params::minus_inverse;
      uint64_t carry = 0;
      mul_add(t[0], m, Params::modulus[0], carry);
      for (int j = 1; j < 4; ++j) t[j - 1] = mul_add(t[j], m, Params::modulus[j], carry);
      t[3] = carry;
    }
    for (int j = 0; j < 4; ++j) out.w[j] = t[j];
    return out;
  }
};

// 2^256 - p
template <class Params>
struct NegatedModulus {
  static constexpr uint64_t words[4] = {0 - Params::modulus[0], ~Params::modulus[1], ~Params::modulus[2],
                                        ~Params::modulus[3]};
  static_assert(Params::modulus[0] != 0);
};

// out += a * b mod 2^256
inline void add_low_product(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
  for (int i = 0; i < 4; ++i) {
    uint64_t carry = 0;
    for (int j = 0; i + j < 4; ++j) out[i + j] = mul_add(out[i + j], a[i], b[j], carry);
  }
}

template <class Params>
inline void constant_product_portable(uint64_t out[4], const uint64_t a[4], const Constant<Params>& b) {
  // Columns 3 to 7, from the upper words of column 2 on.
  uint64_t columns[8] = {};
  for (int i = 0; i < 4; ++i) {
    uint64_t carry = i < 3 ? static_cast<uint64_t>((static_cast<Wide>(a[i]) * b.quotient[2 - i]) >> 64) : 0;
    for (int j = 3 - i; j < 4; ++j) columns[i + j] = mul_add(columns[i + j], a[i], b.quotient[j], carry);
    columns[i + 4] = carry;
  }
  uint64_t product[4] = {};
  add_low_product(product, a, b.w);
  add_low_product(product, columns + 4, NegatedModulus<Params>::words);
  for (int i = 0; i < 4; ++i) out[i] = product[i];
}

// a * w mod p but for one p: below 2p, whatever is below 4p (which is below 2^256) as a. For the quotient that is taken
// is above a * w / p less 1 (it is a whole number), less a / 2^256 (so is the constant's), less 2^-60 (columns left out),
// together less than 2. Out may be a.
template <class Params>
[[gnu::noinline]] inline void constant_product(uint64_t out[4], const uint64_t a[4], const Constant<Params>& b) {
#if defined(ZKA_HAVE_ADX)
  constant_product_adx(out, a, b.w, NegatedModulus<Params>::words);
#else
  constant_product_portable(out, a, b);
#endif
}

}  // namespace zka::ZKA_ISA
