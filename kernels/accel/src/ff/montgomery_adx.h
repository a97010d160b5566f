// The product of montgomery.h with mulx, which leaves the flags alone: the words of a row are added up among themselves,
// and then to the sum. Two chains at once with adcx and adox take more additions, and those are what the machine has too
// few units for.
#pragma once
#include <cstdint>

#include "limbs.h"

namespace zka::ZKA_ISA {

// clang-format off
// (low, h0, h1, h2, TOP) = rdx * the four words at X0.. X3. TOP may be rdx.
#define ZKA_WORDS(X0, X1, X2, X3, TOP)                                 \
  "mulxq " X0 ", %[low], %[h0]\n\t"                                    \
  "mulxq " X1 ", %[word], %[h1]\n\t addq %[word], %[h0]\n\t"           \
  "mulxq " X2 ", %[word], %[h2]\n\t adcq %[word], %[h1]\n\t"           \
  "mulxq " X3 ", %[word], " TOP "\n\t adcq %[word], %[h2]\n\t"         \
  "adcq $0, " TOP "\n\t"
// (A, B, C, D, E) = (A, B, C, D) + a * b_i
#define ZKA_ROW(I, A, B, C, D, E)                                      \
  "movq " I "(%[b]), %%rdx\n\t"                                        \
  ZKA_WORDS("0(%[a])", "8(%[a])", "16(%[a])", "24(%[a])", E)           \
  "addq %[low], " A "\n\t adcq %[h0], " B "\n\t adcq %[h1], " C "\n\t" \
  "adcq %[h2], " D "\n\t adcq $0, " E "\n\t"
// (B, C, D, E) = (A, B, C, D, E) + m * p without its lowest word, which is zero with m = A * (-1/p).
#define ZKA_REDUCE(A, B, C, D, E)                                      \
  "movq " A ", %%rdx\n\t imulq %[inverse], %%rdx\n\t"                  \
  ZKA_WORDS("%[p0]", "%[p1]", "%[p2]", "%[p3]", "%%rdx")               \
  "addq %[low], " A "\n\t adcq %[h0], " B "\n\t adcq %[h1], " C "\n\t" \
  "adcq %[h2], " D "\n\t adcq %%rdx, " E "\n\t"
// clang-format on

template <class Params>
inline void montgomery_product_adx(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t t0, t1, t2, t3, t4, low, word, h0, h1, h2;
  asm("movq 0(%[b]), %%rdx\n\t"
      "mulxq 0(%[a]), %[t0], %[t1]\n\t"
      "mulxq 8(%[a]), %[word], %[t2]\n\t addq %[word], %[t1]\n\t"
      "mulxq 16(%[a]), %[word], %[t3]\n\t adcq %[word], %[t2]\n\t"
      "mulxq 24(%[a]), %[word], %[t4]\n\t adcq %[word], %[t3]\n\t"
      "adcq $0, %[t4]\n\t"
      ZKA_REDUCE("%[t0]", "%[t1]", "%[t2]", "%[t3]", "%[t4]")
      ZKA_ROW("8", "%[t1]", "%[t2]", "%[t3]", "%[t4]", "%[t0]")
      ZKA_REDUCE("%[t1]", "%[t2]", "%[t3]", "%[t4]", "%[t0]")
      ZKA_ROW("16", "%[t2]", "%[t3]", "%[t4]", "%[t0]", "%[t1]")
      ZKA_REDUCE("%[t2]", "%[t3]", "%[t4]", "%[t0]", "%[t1]")
      ZKA_ROW("24", "%[t3]", "%[t4]", "%[t0]", "%[t1]", "%[t2]")
      ZKA_REDUCE("%[t3]", "%[t4]", "%[t0]", "%[t1]", "%[t2]")
      : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [low] "=&r"(low),
        [word] "=&r"(word), [h0] "=&r"(h0), [h1] "=&r"(h1), [h2] "=&r"(h2)
      : [a] "r"(a), [b] "r"(b), [p0] "m"(Params::modulus[0]), [p1] "m"(Params::modulus[1]),
        [p2] "m"(Params::modulus[2]), [p3] "m"(Params::modulus[3]), [inverse] "m"(Params::minus_inverse)
      : "rdx", "cc", "memory");  // memory: operands of a's and b's words would take registers that there are not
  out[0] = t4, out[1] = t0, out[2] = t1, out[3] = t2;
}

#undef ZKA_WORDS
#undef ZKA_ROW
#undef ZKA_REDUCE

}  // namespace zka::ZKA_ISA
