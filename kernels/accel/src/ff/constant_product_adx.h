// The product of constant_product.h with mulx, its additions in the way of montgomery_adx.h. Lower words alone are imul's,
// which spares a register and half of the work, but changes the flags: it comes before a row's additions.
#pragma once
#include <cstdint>

#include "isa.h"

namespace zka::ZKA_ISA {

// w: the constant's words, then its quotient's. minus_p: 2^256 - p.
inline void constant_product_adx(uint64_t out[4], const uint64_t a[4], const uint64_t* w, const uint64_t minus_p[4]) {
  uint64_t q0, q1, q2, q3, s0, s1, s2, s3, low, word;
  // clang-format off
  asm(  // columns 3 to 7 of a * quotient: (s0, s1) of row 0
      "movq 0(%[a]), %%rdx\n\t"
      "mulxq 48(%[w]), %[low], %[s0]\n\t"
      "mulxq 56(%[w]), %[word], %[s1]\n\t addq %[word], %[s0]\n\t adcq $0, %[s1]\n\t"
      // row 1: (s0, s1, s2)
      "movq 8(%[a]), %%rdx\n\t"
      "mulxq 40(%[w]), %[low], %[q0]\n\t"
      "mulxq 48(%[w]), %[word], %[q1]\n\t addq %[word], %[q0]\n\t"
      "mulxq 56(%[w]), %[word], %[s2]\n\t adcq %[word], %[q1]\n\t adcq $0, %[s2]\n\t"
      "addq %[q0], %[s0]\n\t adcq %[q1], %[s1]\n\t adcq $0, %[s2]\n\t"
      // row 2: (s0 .. s3)
      "movq 16(%[a]), %%rdx\n\t"
      "mulxq 32(%[w]), %[low], %[q0]\n\t"
      "mulxq 40(%[w]), %[word], %[q1]\n\t addq %[word], %[q0]\n\t"
      "mulxq 48(%[w]), %[word], %[q2]\n\t adcq %[word], %[q1]\n\t"
      "mulxq 56(%[w]), %[word], %[s3]\n\t adcq %[word], %[q2]\n\t adcq $0, %[s3]\n\t"
      "addq %[q0], %[s0]\n\t adcq %[q1], %[s1]\n\t adcq %[q2], %[s2]\n\t adcq $0, %[s3]\n\t"
      // row 3: (s0, q0 .. q3), of which s0 was for its carry alone
      "movq 24(%[a]), %%rdx\n\t"
      "mulxq 32(%[w]), %[low], %[q0]\n\t"
      "mulxq 40(%[w]), %[word], %[q1]\n\t addq %[word], %[q0]\n\t"
      "mulxq 48(%[w]), %[word], %[q2]\n\t adcq %[word], %[q1]\n\t"
      "mulxq 56(%[w]), %[word], %[q3]\n\t adcq %[word], %[q2]\n\t adcq $0, %[q3]\n\t"
      "addq %[low], %[s0]\n\t adcq %[s1], %[q0]\n\t adcq %[s2], %[q1]\n\t adcq %[s3], %[q2]\n\t adcq $0, %[q3]\n\t"
      // s = q * (2^256 - p)
      "movq %[q0], %%rdx\n\t imulq %[p3], %[q0]\n\t"
      "mulxq %[p0], %[s0], %[s1]\n\t"
      "mulxq %[p1], %[word], %[s2]\n\t addq %[word], %[s1]\n\t"
      "mulxq %[p2], %[word], %[s3]\n\t adcq %[word], %[s2]\n\t adcq %[q0], %[s3]\n\t"
      "movq %[q1], %%rdx\n\t imulq %[p2], %[q1]\n\t"
      "mulxq %[p0], %[low], %[q0]\n\t"
      "mulxq %[p1], %[word], %%rdx\n\t addq %[word], %[q0]\n\t adcq %[q1], %%rdx\n\t"
      "addq %[low], %[s1]\n\t adcq %[q0], %[s2]\n\t adcq %%rdx, %[s3]\n\t"
      "movq %[q2], %%rdx\n\t imulq %[p1], %[q2]\n\t imulq %[p0], %[q3]\n\t"
      "mulxq %[p0], %[low], %[q0]\n\t leaq (%[q2], %[q3]), %[q2]\n\t leaq (%[q0], %[q2]), %[q0]\n\t"
      "addq %[low], %[s2]\n\t adcq %[q0], %[s3]\n\t"
      // s += a * w
      "movq 0(%[a]), %%rdx\n\t movq 24(%[w]), %[q3]\n\t imulq %%rdx, %[q3]\n\t"
      "mulxq 0(%[w]), %[low], %[q0]\n\t"
      "mulxq 8(%[w]), %[word], %[q1]\n\t addq %[word], %[q0]\n\t"
      "mulxq 16(%[w]), %[word], %[q2]\n\t adcq %[word], %[q1]\n\t adcq %[q3], %[q2]\n\t"
      "addq %[low], %[s0]\n\t adcq %[q0], %[s1]\n\t adcq %[q1], %[s2]\n\t adcq %[q2], %[s3]\n\t"
      "movq 8(%[a]), %%rdx\n\t movq 16(%[w]), %[q3]\n\t imulq %%rdx, %[q3]\n\t"
      "mulxq 0(%[w]), %[low], %[q0]\n\t"
      "mulxq 8(%[w]), %[word], %[q1]\n\t addq %[word], %[q0]\n\t adcq %[q3], %[q1]\n\t"
      "addq %[low], %[s1]\n\t adcq %[q0], %[s2]\n\t adcq %[q1], %[s3]\n\t"
      "movq 16(%[a]), %%rdx\n\t movq 8(%[w]), %[q3]\n\t imulq %%rdx, %[q3]\n\t"
      "movq 24(%[a]), %[q2]\n\t imulq 0(%[w]), %[q2]\n\t"
      "mulxq 0(%[w]), %[low], %[q0]\n\t leaq (%[q2], %[q3]), %[q2]\n\t leaq (%[q0], %[q2]), %[q0]\n\t"
      "addq %[low], %[s2]\n\t adcq %[q0], %[s3]\n\t"
      : [q0] "=&r"(q0), [q1] "=&r"(q1), [q2] "=&r"(q2), [q3] "=&r"(q3), [s0] "=&r"(s0), [s1] "=&r"(s1),
        [s2] "=&r"(s2), [s3] "=&r"(s3), [low] "=&r"(low), [word] "=&r"(word)
      : [a] "r"(a), [w] "r"(w), [p0] "m"(minus_p[0]), [p1] "m"(minus_p[1]), [p2] "m"(minus_p[2]), [p3] "m"(minus_p[3])
      : "rdx", "cc", "memory");  // memory: as in montgomery_adx.h
  // clang-format on
  out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3;
}

}  // namespace zka::ZKA_ISA
