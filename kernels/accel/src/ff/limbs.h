// Numbers of four 64-bit limbs, least significant first: the carries that all fields are made of.
#pragma once
#include <cstdint>

#include "intrinsics.h"
#include "isa.h"

namespace zka::ZKA_ISA {

using Wide = unsigned __int128;

// Sum of three words; `carry` in and out is at most what the sum of three can carry.
inline uint64_t add_carry(uint64_t a, uint64_t b, uint64_t& carry) {
  const Wide sum = static_cast<Wide>(a) + b + carry;
  carry = static_cast<uint64_t>(sum >> 64);
  return static_cast<uint64_t>(sum);
}

inline uint64_t sub_borrow(uint64_t a, uint64_t b, uint64_t& borrow) {
  const Wide difference = static_cast<Wide>(a) - b - borrow;
  borrow = static_cast<uint64_t>(difference >> 64) & 1;
  return static_cast<uint64_t>(difference);
}

// a + b*c + carry, which fits two words whatever they are.
inline uint64_t mul_add(uint64_t a, uint64_t b, uint64_t c, uint64_t& carry) {
  const Wide sum = static_cast<Wide>(b) * c + a + carry;
  carry = static_cast<uint64_t>(sum >> 64);
  return static_cast<uint64_t>(sum);
}

// out = a - b; answers the borrow.
inline uint64_t sub4(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
#if defined(__x86_64__)
  // The compiler keeps the borrow in the flags only where it is told to.
  unsigned char borrow = 0;
  unsigned long long word = 0;
  for (int i = 0; i < 4; ++i) {
    borrow = _subborrow_u64(borrow, a[i], b[i], &word);
    out[i] = word;
  }
#else
  uint64_t borrow = 0;
  for (int i = 0; i < 4; ++i) out[i] = sub_borrow(a[i], b[i], borrow);
#endif
  return borrow;
}

inline uint64_t add4(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
#if defined(__x86_64__)
  unsigned char carry = 0;
  unsigned long long word = 0;
  for (int i = 0; i < 4; ++i) {
    carry = _addcarry_u64(carry, a[i], b[i], &word);
    out[i] = word;
  }
#else
  uint64_t carry = 0;
  for (int i = 0; i < 4; ++i) out[i] = add_carry(a[i], b[i], carry);
#endif
  return carry;
}

inline bool less4(const uint64_t a[4], const uint64_t b[4]) {
  uint64_t unused[4];
  return sub4(unused, a, b) != 0;
}

// value mod p for a value below 2p, without a branch.
inline void reduce_once(uint64_t value[4], const uint64_t p[4]) {
  uint64_t reduced[4];
  const uint64_t keep = 0 - sub4(reduced, value, p);
  for (int i = 0; i < 4; ++i) value[i] = (value[i] & keep) | (reduced[i] & ~keep);
}

}  // namespace zka::ZKA_ISA
