// Montgomery multiplication, R = 2^256, over 32-bit words. The products of one word with another number's even words are
// side by side, two words each, and so do those with its odd words, one word higher: each kind is one chain of carries
// through multiply-adds, and a device takes both halves of a product in one instruction. So a running sum has the form
// even + 2^32 * odd, and dividing it by 2^32 makes the odd words the even ones. [Emmart, Luitjens, Weems, Woolley,
// "Optimizing modular multiplication for NVIDIA's Maxwell GPUs", 2016]
#pragma once
#include "gpu/field/words.h"

namespace zka::gpu {

// Of values below 2p, where 4p is below R; the results too are below 2p. Arguments are copied: what is in memory would
// else be read word by word between the multiply-adds, and a device would not join their halves.
template <class Params>
class Montgomery {
 public:
  // a * b / R
  static ZKA_HD Words product(Words a, Words b) {
    Words even{}, odd{};
    ZKA_UNROLLED
    for (int i = 0; i < 8; i += 2) {
      add_row(even, odd, a, b.w[i]);
      add_row(odd, even, a, b.w[i + 1]);
    }
    return joined(even, odd);
  }

  // a * a / R: fewer products, since those of two different words are needed once.
  static ZKA_HD Words square(Words a) {
    uint32_t wide[16];
    square_wide(a, wide);
    Words even{{wide[0], wide[1], wide[2], wide[3], wide[4], wide[5], wide[6], wide[7]}}, odd{};
    ZKA_UNROLLED
    for (int i = 0; i < 8; i += 2) {
      reduce_row(even, odd);
      reduce_row(odd, even);
    }
    return sum(joined(even, odd), {{wide[8], wide[9], wide[10], wide[11], wide[12], wide[13], wide[14], wide[15]}});
  }

  // a / R
  static ZKA_HD Words reduced(Words a) {
    Words even = a, odd{};
    ZKA_UNROLLED
    for (int i = 0; i < 8; i += 2) {
      reduce_row(even, odd);
      reduce_row(odd, even);
    }
    return joined(even, odd);
  }

 private:
  // odd + 2^32 * even is a multiple of 2^32. Divides it by that, adds a * b and a multiple of p, such that
  // even + 2^32 * odd is a multiple again.
  static ZKA_HD_INLINE void add_row(Words& even, Words& odd, const Words& a, uint32_t b) {
    Chain chain;
    even.w[0] = chain.add_cc(even.w[0], odd.w[1]);
    shift_and_add_odd(chain, odd, a, b);
    add_even(even, odd, a, b);
    const uint32_t m = even.w[0] * static_cast<uint32_t>(Params::minus_inverse);
    add_odd(odd, modulus(), m);
    add_even(even, odd, modulus(), m);
  }
  // The same without a * b.
  static ZKA_HD_INLINE void reduce_row(Words& even, Words& odd) {
    Chain chain;
    even.w[0] = chain.add_cc(even.w[0], odd.w[1]);
    const uint32_t m = even.w[0] * static_cast<uint32_t>(Params::minus_inverse);
    shift_and_add_odd(chain, odd, modulus(), m);
    add_even(even, odd, modulus(), m);
  }

  static ZKA_HD_INLINE void shift_and_add_odd(Chain& chain, Words& odd, const Words& a, uint32_t b) {
    ZKA_UNROLLED
    for (int i = 0; i < 6; i += 2) {
      odd.w[i] = chain.madc_lo_cc(a.w[i + 1], b, odd.w[i + 2]);
      odd.w[i + 1] = chain.madc_hi_cc(a.w[i + 1], b, odd.w[i + 3]);
    }
    odd.w[6] = chain.madc_lo_cc(a.w[7], b, 0);
    odd.w[7] = chain.madc_hi(a.w[7], b, 0);
  }
  static ZKA_HD_INLINE void add_odd(Words& odd, const Words& a, uint32_t b) {
    Chain chain;
    odd.w[0] = chain.mad_lo_cc(a.w[1], b, odd.w[0]);
    ZKA_UNROLLED
    for (int i = 1; i < 7; i += 2) {
      odd.w[i] = chain.madc_hi_cc(a.w[i], b, odd.w[i]);
      odd.w[i + 1] = chain.madc_lo_cc(a.w[i + 2], b, odd.w[i + 1]);
    }
    odd.w[7] = chain.madc_hi(a.w[7], b, odd.w[7]);
  }
  // What is carried out of the even words goes to the highest odd one.
  static ZKA_HD_INLINE void add_even(Words& even, Words& odd, const Words& a, uint32_t b) {
    Chain chain;
    even.w[0] = chain.mad_lo_cc(a.w[0], b, even.w[0]);
    even.w[1] = chain.madc_hi_cc(a.w[0], b, even.w[1]);
    ZKA_UNROLLED
    for (int i = 2; i < 8; i += 2) {
      even.w[i] = chain.madc_lo_cc(a.w[i], b, even.w[i]);
      even.w[i + 1] = chain.madc_hi_cc(a.w[i], b, even.w[i + 1]);
    }
    odd.w[7] = chain.addc(odd.w[7], 0);
  }

  // (odd + 2^32 * even) / 2^32
  static ZKA_HD_INLINE Words joined(const Words& even, const Words& odd) {
    Chain chain;
    Words out;
    out.w[0] = chain.add_cc(even.w[0], odd.w[1]);
    ZKA_UNROLLED
    for (int i = 1; i < 7; ++i) out.w[i] = chain.addc_cc(even.w[i], odd.w[i + 1]);
    out.w[7] = chain.addc(even.w[7], 0);
    return out;
  }

  static ZKA_HD_INLINE void square_wide(const Words& a, uint32_t (&wide)[16]) {
    uint32_t even[16] = {}, odd[16] = {};
    ZKA_UNROLLED
    for (int i = 0; i < 7; ++i) {
      add_products(odd, a, i, i + 1);
      add_products(even, a, i, i + 2);
    }
    Chain sums;
    odd[2] = sums.add_cc(odd[2], even[2]);
    ZKA_UNROLLED
    for (int i = 3; i < 15; ++i) odd[i] = sums.addc_cc(odd[i], even[i]);
    odd[15] = sums.addc(0, 0);
    // Twice that, and the squares of the words.
    Chain squares;
    wide[0] = squares.mad_lo_cc(a.w[0], a.w[0], 0);
    wide[1] = squares.madc_hi_cc(a.w[0], a.w[0], odd[1] << 1);
    ZKA_UNROLLED
    for (int i = 1; i < 8; ++i) {
      wide[2 * i] = squares.madc_lo_cc(a.w[i], a.w[i], odd[2 * i] << 1 | odd[2 * i - 1] >> 31);
      wide[2 * i + 1] = squares.madc_hi_cc(a.w[i], a.w[i], odd[2 * i + 1] << 1 | odd[2 * i] >> 31);
    }
  }
  // Those of the i-th word with each second one from `first` on.
  static ZKA_HD_INLINE void add_products(uint32_t (&words)[16], const Words& a, int i, int first) {
    if (first > 7) return;
    Chain chain;
    words[i + first] = chain.mad_lo_cc(a.w[i], a.w[first], words[i + first]);
    words[i + first + 1] = chain.madc_hi_cc(a.w[i], a.w[first], words[i + first + 1]);
    ZKA_UNROLLED
    for (int j = first + 2; j < 8; j += 2) {
      words[i + j] = chain.madc_lo_cc(a.w[i], a.w[j], words[i + j]);
      words[i + j + 1] = chain.madc_hi_cc(a.w[i], a.w[j], words[i + j + 1]);
    }
    // A chain that ends with the highest word ends in words that were zero.
    if (first % 2 == 0) words[i + 8] = chain.addc(words[i + 8], 0);
  }

  static ZKA_HD_INLINE Words modulus() {
    constexpr Words p = Words::of(Params::modulus);
    return p;
  }
};

}  // namespace zka::gpu
