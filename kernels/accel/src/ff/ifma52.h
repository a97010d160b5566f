// Eight field elements side by side with AVX-512 IFMA: five limbs of 52 bits, one element a lane. Only for code that is
// compiled with ZKA_HAVE_IFMA. [Gueron and Krasnov, "Accelerating Big Integer Arithmetic Using Intel IFMA Extensions",
// ARITH 2016; the row-wise Montgomery multiplication is that of montgomery.h with R = 2^260]
//
// Bounds. A value is a number below 2^260 (84 p) with limbs below 2^52, not a residue: each function says how large its
// arguments may be and its result is. "tight" is below 2p, what mul, add, sub and negate give; reduce gives below p.
//
// Forms. mul(a, b) = a * b / 2^260. So with x in the memory's form (x * 2^256) and a constant c times 2^260, mul keeps
// the memory's form: a linear computation (an NTT, a sum with coefficients) needs no conversion of its data. Where data
// meets data, one of both is loaded by load_inner (x * 2^260 below 16p, a shift of the limbs and no multiplication), or
// all are, and outer leads back by one multiplication.
#pragma once
#if defined(ZKA_HAVE_IFMA)
#include "field.h"
#include "words8.h"

namespace zka::ZKA_ISA {

// One constant for all lanes, of the inner form (times 2^260), below p.
struct Factor52 {
  uint64_t l[5];
};

template <class Params>
struct Field8 {
  using Scalar = Field<Params>;
  __m512i l[5];

  static __m512i mask() { return _mm512_set1_epi64((1ll << 52) - 1); }
  static Field8 of(const uint64_t (&limbs)[5]) {
    Field8 out;
    for (int i = 0; i < 5; ++i) out.l[i] = _mm512_set1_epi64(static_cast<long long>(limbs[i]));
    return out;
  }
  static Field8 zero() { return of({0, 0, 0, 0, 0}); }
  // 2^260 mod p: one of the inner form.
  static Field8 one_inner() { return of(Params::r260_one); }
  static Field8 of(const Factor52& factor) { return of(factor.l); }
  // A limb of times * p in every lane. Carries stay in their limbs: for sums that are normalised afterwards.
  static __m512i p_limb(int i, uint64_t times = 1) {
    return _mm512_set1_epi64(static_cast<long long>(Params::modulus_52[i] * times));
  }

  // A canonical element as a constant: 16 * (x * 2^256) mod p.
  static Factor52 factor(const Scalar& x) {
    const Scalar y = x.dbl().dbl().dbl().dbl();
    constexpr uint64_t M = (uint64_t{1} << 52) - 1;
    return {{y.l[0] & M, (y.l[0] >> 52 | y.l[1] << 12) & M, (y.l[1] >> 40 | y.l[2] << 24) & M,
             (y.l[2] >> 28 | y.l[3] << 36) & M, y.l[3] >> 16}};
  }

  // --- Between memory and lanes. Elements below 2^256; lane i is element i. ---

  // The number in memory as it is.
  static Field8 plain(const Words8& x) {
    const __m512i m = mask();
    return {{_mm512_and_si512(x.w[0], m), joined<52, 12>(x.w[0], x.w[1], m), joined<40, 24>(x.w[1], x.w[2], m),
             joined<28, 36>(x.w[2], x.w[3], m), _mm512_srli_epi64(x.w[3], 16)}};
  }
  // 16 times the number in memory: below 16p for elements below p.
  static Field8 inner(const Words8& x) {
    const __m512i m = mask();
    return {{_mm512_and_si512(_mm512_slli_epi64(x.w[0], 4), m), joined<48, 16>(x.w[0], x.w[1], m),
             joined<36, 28>(x.w[1], x.w[2], m), joined<24, 40>(x.w[2], x.w[3], m), _mm512_srli_epi64(x.w[3], 12)}};
  }
  static Field8 load(const Scalar* at) { return plain(Words8::load(at->l)); }
  static Field8 load(const Scalar* at, size_t stride) { return plain(Words8::load(at->l, stride)); }
  static Field8 load(const Scalar* const (&at)[8]) { return plain(Words8::load(at)); }
  static Field8 load_inner(const Scalar* at) { return inner(Words8::load(at->l)); }
  static Field8 load_inner(const Scalar* at, size_t stride) { return inner(Words8::load(at->l, stride)); }
  static Field8 load_inner(const Scalar* const (&at)[8]) { return inner(Words8::load(at)); }

  // Values below 2^256 (5p), stored as they are.
  void store(Scalar* at) const { packed().store(at->l); }
  void store(Scalar* at, size_t stride) const { packed().store(at->l, stride); }
  void store(Scalar* const (&at)[8]) const { packed().store(at); }
  // From the inner form (below 16p) to the memory's, below p: one multiplication by 2^256.
  Field8 outer() const {
    static constexpr uint64_t TWO_TO_256[5] = {0, 0, 0, 0, uint64_t{1} << 48};
    return mul(*this, of(TWO_TO_256)).reduce();
  }

  // --- Arithmetic. ---

  // a * b / 2^260 mod p, below a*b/2^260 + p: tight where a*b < 84 p^2, so for 16p times 5p; 1.05 p from tight arguments.
  static Field8 mul(const Field8& a, const Field8& b) {
    Field8 t = zero();
    for (int i = 0; i < 5; ++i) row(t, a, b.l[i]);
    return t.normalised();
  }
  static Field8 mul(const Field8& a, const Factor52& b) {
    Field8 t = zero();
    for (int i = 0; i < 5; ++i) row(t, a, _mm512_set1_epi64(static_cast<long long>(b.l[i])));
    return t.normalised();
  }
  // Two at once: each waits on itself for half of its time, so the pair takes hardly longer than one.
  [[gnu::always_inline]] static void mul2(Field8& ab, const Field8& a, const Field8& b, Field8& cd, const Field8& c,
                                          const Field8& d) {
    Field8 s = zero(), t = zero();
    for (int i = 0; i < 5; ++i) {
      row(s, a, b.l[i]);
      row(t, c, d.l[i]);
    }
    ab = s.normalised();
    cd = t.normalised();
  }
  Field8 square() const { return mul(*this, *this); }

  // Tight from tight.
  static Field8 add(const Field8& a, const Field8& b) {
    Field8 difference;
    for (int i = 0; i < 5; ++i) {
      difference.l[i] = _mm512_sub_epi64(_mm512_add_epi64(a.l[i], b.l[i]), p_limb(i, 2));
    }
    return difference.raised_by_2p();
  }
  static Field8 sub(const Field8& a, const Field8& b) {
    Field8 difference;
    for (int i = 0; i < 5; ++i) difference.l[i] = _mm512_sub_epi64(a.l[i], b.l[i]);
    return difference.raised_by_2p();
  }
  static Field8 negate(const Field8& a) { return sub(zero(), a); }

  // Without a reduction. a + b must be below 2^260.
  static Field8 add_loose(const Field8& a, const Field8& b) { return add_raw(a, b).normalised(); }
  // a - b + multiple * p for b <= multiple * p; below a + multiple * p, which must be below 2^260.
  static Field8 sub_loose(const Field8& a, const Field8& b, uint64_t multiple = 2) {
    return sub_raw(a, b, multiple).normalised();
  }
  // The same with carries left in the limbs, which may be negative: good for further sums, and then normalised().
  static Field8 add_raw(const Field8& a, const Field8& b) {
    Field8 sum;
    for (int i = 0; i < 5; ++i) sum.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
    return sum;
  }
  static Field8 sub_raw(const Field8& a, const Field8& b, uint64_t multiple = 2) {
    Field8 difference;
    for (int i = 0; i < 5; ++i) {
      difference.l[i] = _mm512_sub_epi64(_mm512_add_epi64(a.l[i], p_limb(i, multiple)), b.l[i]);
    }
    return difference;
  }

  // Below 1.01 p from anything below 2^260: less floor(value / p), which the top limb gives but for one.
  Field8 tighten() const {
    // With the modulus's top limb: value's top limb * this / 2^97 is never above the quotient, and hardly below it.
    constexpr uint64_t RECIPROCAL = static_cast<uint64_t>((Wide{1} << 97) / (Params::modulus_52[4] + 1));
    const __m512i high =
        _mm512_madd52hi_epu64(_mm512_setzero_si512(), l[4], _mm512_set1_epi64(static_cast<long long>(RECIPROCAL)));
    const __m512i quotient = _mm512_srli_epi64(high, 45);
    Field8 out;
    for (int i = 0; i < 5; ++i) {
      __m512i multiple = _mm512_madd52lo_epu64(_mm512_setzero_si512(), quotient, p_limb(i));
      if (i > 0) multiple = _mm512_madd52hi_epu64(multiple, quotient, p_limb(i - 1));
      out.l[i] = _mm512_sub_epi64(l[i], multiple);
    }
    return out.normalised();
  }
  // Below p, from tight.
  Field8 reduce() const {
    Field8 less;
    for (int i = 0; i < 5; ++i) less.l[i] = _mm512_sub_epi64(l[i], p_limb(i));
    less = less.normalised();
    return blend(_mm512_movepi64_mask(less.l[4]), less, *this);
  }
  // Lanes whose number is 0 (of reduced values: whose element is).
  __mmask8 is_zero() const {
    const __m512i any = _mm512_or_si512(_mm512_or_si512(_mm512_or_si512(l[0], l[1]), _mm512_or_si512(l[2], l[3])), l[4]);
    return _mm512_testn_epi64_mask(any, any);
  }
  // b in the lanes of `which`, a in the others.
  static Field8 blend(__mmask8 which, const Field8& a, const Field8& b) {
    Field8 out;
    for (int i = 0; i < 5; ++i) out.l[i] = _mm512_mask_blend_epi64(which, a.l[i], b.l[i]);
    return out;
  }
  // Carries brought up; limbs may be negative, the value may not (else the top limb is).
  Field8 normalised() const {
    const __m512i m = mask();
    Field8 out = *this;
    for (int i = 0; i < 4; ++i) {
      out.l[i + 1] = _mm512_add_epi64(out.l[i + 1], _mm512_srai_epi64(out.l[i], 52));
      out.l[i] = _mm512_and_si512(out.l[i], m);
    }
    return out;
  }

 private:
  // t = (t + a * b_i + m * p) / 2^52 with the m that makes it an integer. A limb of t gains less than 2^54 a row: it keeps
  // below 2^57 and is not normalised in between.
  static void row(Field8& t, const Field8& a, __m512i b_i) {
    const __m512i zero_lanes = _mm512_setzero_si512();
    for (int j = 0; j < 5; ++j) t.l[j] = _mm512_madd52lo_epu64(t.l[j], a.l[j], b_i);
    const __m512i m = _mm512_madd52lo_epu64(
        zero_lanes, t.l[0], _mm512_set1_epi64(static_cast<long long>(Params::minus_inverse_52)));
    for (int j = 0; j < 5; ++j) t.l[j] = _mm512_madd52lo_epu64(t.l[j], m, p_limb(j));
    const __m512i carry = _mm512_srli_epi64(t.l[0], 52);
    for (int j = 0; j < 4; ++j) t.l[j] = t.l[j + 1];
    t.l[4] = zero_lanes;
    t.l[0] = _mm512_add_epi64(t.l[0], carry);
    for (int j = 0; j < 5; ++j) {
      t.l[j] = _mm512_madd52hi_epu64(t.l[j], a.l[j], b_i);
      t.l[j] = _mm512_madd52hi_epu64(t.l[j], m, p_limb(j));
    }
  }
  // A value between -2p and 2p with carries outstanding: 2p more where it is negative.
  Field8 raised_by_2p() const {
    __m512i carry = _mm512_srai_epi64(l[0], 52);
    for (int i = 1; i < 4; ++i) carry = _mm512_srai_epi64(_mm512_add_epi64(l[i], carry), 52);
    const __mmask8 negative = _mm512_movepi64_mask(_mm512_add_epi64(l[4], carry));
    Field8 out;
    for (int i = 0; i < 5; ++i) out.l[i] = _mm512_mask_add_epi64(l[i], negative, l[i], p_limb(i, 2));
    return out.normalised();
  }

  template <int Right, int Left>
  static __m512i joined(__m512i low, __m512i high, __m512i m) {
    return _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(low, Right), _mm512_slli_epi64(high, Left)), m);
  }
  Words8 packed() const {
    return {{_mm512_or_si512(l[0], _mm512_slli_epi64(l[1], 52)),
             _mm512_or_si512(_mm512_srli_epi64(l[1], 12), _mm512_slli_epi64(l[2], 40)),
             _mm512_or_si512(_mm512_srli_epi64(l[2], 24), _mm512_slli_epi64(l[3], 28)),
             _mm512_or_si512(_mm512_srli_epi64(l[3], 36), _mm512_slli_epi64(l[4], 16))}};
  }
};

using Fr8 = Field8<FrParams>;
using Fq8 = Field8<FqParams>;

}  // namespace zka::ZKA_ISA
#endif
