// Eight numbers of four words, word by word: in memory the words of a number are contiguous, here each position of words is a
// register. Only for code that is compiled with ZKA_HAVE_IFMA.
#pragma once
#if defined(ZKA_HAVE_IFMA)
#include <cstddef>
#include <cstdint>

#include "intrinsics.h"
#include "isa.h"

namespace zka::ZKA_ISA {

struct Words8 {
  __m512i w[4];  // lane i is of number i

  static Words8 load(const uint64_t* at) { return transposed({{four(at, 0), four(at, 1), four(at, 2), four(at, 3)}}); }
  // Number i is at[4 * i * stride ...].
  static Words8 load(const uint64_t* at, size_t stride) {
    Words8 pairs;
    for (size_t i = 0; i < 4; ++i) pairs.w[i] = pair(at + 8 * i * stride, at + (8 * i + 4) * stride);
    return transposed(pairs);
  }
  // Of what has words first.
  template <class Number>
  static Words8 load(const Number* const (&at)[8]) {
    Words8 pairs;
    for (size_t i = 0; i < 4; ++i) pairs.w[i] = pair(at[2 * i]->l, at[2 * i + 1]->l);
    return transposed(pairs);
  }

  void store(uint64_t* at) const {
    const Words8 pairs = transposed_back(*this);
    for (size_t i = 0; i < 4; ++i) _mm512_storeu_si512(reinterpret_cast<__m512i*>(at) + i, pairs.w[i]);
  }
  void store(uint64_t* at, size_t stride) const {
    const Words8 pairs = transposed_back(*this);
    for (size_t i = 0; i < 4; ++i) unpair(pairs.w[i], at + 8 * i * stride, at + (8 * i + 4) * stride);
  }
  template <class Number>
  void store(Number* const (&at)[8]) const {
    const Words8 pairs = transposed_back(*this);
    for (size_t i = 0; i < 4; ++i) unpair(pairs.w[i], at[2 * i]->l, at[2 * i + 1]->l);
  }

 private:
  static __m512i four(const uint64_t* at, size_t i) {
    return _mm512_loadu_si512(reinterpret_cast<const __m512i*>(at) + i);
  }
  static __m512i pair(const uint64_t* first, const uint64_t* second) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(first))),
                              _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second)), 1);
  }
  static void unpair(__m512i both, uint64_t* first, uint64_t* second) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(first), _mm512_castsi512_si256(both));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(second), _mm512_extracti64x4_epi64(both, 1));
  }
  // From four pairs of numbers to four words of eight lanes, and back.
  static Words8 transposed(const Words8& pairs) {
    const __m512i low = _mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13);
    const __m512i high = _mm512_setr_epi64(2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i a = _mm512_permutex2var_epi64(pairs.w[0], low, pairs.w[1]);
    const __m512i b = _mm512_permutex2var_epi64(pairs.w[2], low, pairs.w[3]);
    const __m512i c = _mm512_permutex2var_epi64(pairs.w[0], high, pairs.w[1]);
    const __m512i d = _mm512_permutex2var_epi64(pairs.w[2], high, pairs.w[3]);
    return {{_mm512_shuffle_i64x2(a, b, 0x44), _mm512_shuffle_i64x2(a, b, 0xee), _mm512_shuffle_i64x2(c, d, 0x44),
             _mm512_shuffle_i64x2(c, d, 0xee)}};
  }
  static Words8 transposed_back(const Words8& words) {
    const __m512i a = _mm512_unpacklo_epi64(words.w[0], words.w[1]);  // words 0 1 of numbers 0, 2, 4, 6
    const __m512i b = _mm512_unpackhi_epi64(words.w[0], words.w[1]);  // of 1, 3, 5, 7
    const __m512i c = _mm512_unpacklo_epi64(words.w[2], words.w[3]);
    const __m512i d = _mm512_unpackhi_epi64(words.w[2], words.w[3]);
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __m512i ac01 = _mm512_permutex2var_epi64(a, first, c);   // numbers 0, 2
    const __m512i bd01 = _mm512_permutex2var_epi64(b, first, d);   // 1, 3
    const __m512i ac23 = _mm512_permutex2var_epi64(a, second, c);  // 4, 6
    const __m512i bd23 = _mm512_permutex2var_epi64(b, second, d);  // 5, 7
    return {{_mm512_shuffle_i64x2(ac01, bd01, 0x44), _mm512_shuffle_i64x2(ac01, bd01, 0xee),
             _mm512_shuffle_i64x2(ac23, bd23, 0x44), _mm512_shuffle_i64x2(ac23, bd23, 0xee)}};
  }
};

}  // namespace zka::ZKA_ISA
#endif
