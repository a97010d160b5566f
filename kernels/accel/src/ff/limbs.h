// Numbers of four 64-bit limbs, least significant first: the carries that all fields are made of.
#pragma once
#include <cstdint>

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

// What the compiler makes of these from C it keeps in memory or in vectors, carries too: three to four times as slow.
// nvcc reads no such assembly, nor has it any need of these.
#if defined(__x86_64__) && !defined(__CUDACC__)
// out = a - b; returns the borrow.
inline bool sub4(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t r0 = a[0], r1 = a[1], r2 = a[2], r3 = a[3];
  bool borrow;
  asm("subq %[b0], %[r0]\n\t sbbq %[b1], %[r1]\n\t sbbq %[b2], %[r2]\n\t sbbq %[b3], %[r3]"
      : [r0] "+&r"(r0), [r1] "+&r"(r1), [r2] "+&r"(r2), [r3] "+&r"(r3), "=@ccc"(borrow)
      : [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3]));
  out[0] = r0, out[1] = r1, out[2] = r2, out[3] = r3;
  return borrow;
}

// out = a + b, which must be below 2^256.
inline void add4(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t r0 = a[0], r1 = a[1], r2 = a[2], r3 = a[3];
  asm("addq %[b0], %[r0]\n\t adcq %[b1], %[r1]\n\t adcq %[b2], %[r2]\n\t adcq %[b3], %[r3]"
      : [r0] "+&r"(r0), [r1] "+&r"(r1), [r2] "+&r"(r2), [r3] "+&r"(r3)
      : [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3])
      : "cc");
  out[0] = r0, out[1] = r1, out[2] = r2, out[3] = r3;
}

// value mod p for a value below 2p.
inline void reduce_once(uint64_t value[4], const uint64_t p[4]) {
  uint64_t v0 = value[0], v1 = value[1], v2 = value[2], v3 = value[3], r0 = v0, r1 = v1, r2 = v2, r3 = v3;
  asm("subq %[p0], %[r0]\n\t sbbq %[p1], %[r1]\n\t sbbq %[p2], %[r2]\n\t sbbq %[p3], %[r3]\n\t"
      "cmovncq %[r0], %[v0]\n\t cmovncq %[r1], %[v1]\n\t cmovncq %[r2], %[v2]\n\t cmovncq %[r3], %[v3]"
      : [v0] "+&r"(v0), [v1] "+&r"(v1), [v2] "+&r"(v2), [v3] "+&r"(v3), [r0] "+&r"(r0), [r1] "+&r"(r1), [r2] "+&r"(r2),
        [r3] "+&r"(r3)
      : [p0] "m"(p[0]), [p1] "m"(p[1]), [p2] "m"(p[2]), [p3] "m"(p[3])
      : "cc");
  value[0] = v0, value[1] = v1, value[2] = v2, value[3] = v3;
}

// out = a - b, and p more where that is negative.
inline void sub_mod(uint64_t out[4], const uint64_t a[4], const uint64_t b[4], const uint64_t p[4]) {
  uint64_t r0 = a[0], r1 = a[1], r2 = a[2], r3 = a[3], p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3], mask;
  asm("subq %[b0], %[r0]\n\t sbbq %[b1], %[r1]\n\t sbbq %[b2], %[r2]\n\t sbbq %[b3], %[r3]\n\t sbbq %[mask], %[mask]\n\t"
      "andq %[mask], %[p0]\n\t andq %[mask], %[p1]\n\t andq %[mask], %[p2]\n\t andq %[mask], %[p3]\n\t"
      "addq %[p0], %[r0]\n\t adcq %[p1], %[r1]\n\t adcq %[p2], %[r2]\n\t adcq %[p3], %[r3]"
      : [r0] "+&r"(r0), [r1] "+&r"(r1), [r2] "+&r"(r2), [r3] "+&r"(r3), [p0] "+&r"(p0), [p1] "+&r"(p1), [p2] "+&r"(p2),
        [p3] "+&r"(p3), [mask] "=&r"(mask)
      : [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3])
      : "cc");
  out[0] = r0, out[1] = r1, out[2] = r2, out[3] = r3;
}
#else
inline bool sub4(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t borrow = 0;
  for (int i = 0; i < 4; ++i) out[i] = sub_borrow(a[i], b[i], borrow);
  return borrow != 0;
}

inline void add4(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t carry = 0;
  for (int i = 0; i < 4; ++i) out[i] = add_carry(a[i], b[i], carry);
}

inline void reduce_once(uint64_t value[4], const uint64_t p[4]) {
  uint64_t reduced[4];
  const uint64_t keep = 0 - uint64_t{sub4(reduced, value, p)};
  for (int i = 0; i < 4; ++i) value[i] = (value[i] & keep) | (reduced[i] & ~keep);
}

inline void sub_mod(uint64_t out[4], const uint64_t a[4], const uint64_t b[4], const uint64_t p[4]) {
  uint64_t back[4];
  const uint64_t mask = 0 - uint64_t{sub4(out, a, b)};
  for (int i = 0; i < 4; ++i) back[i] = p[i] & mask;
  add4(out, out, back);
}
#endif

inline bool less4(const uint64_t a[4], const uint64_t b[4]) {
  uint64_t unused[4];
  return sub4(unused, a, b);
}

}  // namespace zka::ZKA_ISA
