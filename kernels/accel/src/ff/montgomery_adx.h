// The product of montgomery.h with two carry chains side by side: mulx leaves the flags alone, adcx uses only
// CF, adox only OF. The compiler does not make these from C.
#pragma once
#include <cstdint>

#include "limbs.h"

namespace zka::ZKA_ISA {

// clang-format off
// t += a * b_i over four limbs; the word above goes to `top`. In: rdx = b_i.
#define ZKA_ROW                                            \
  "xorl %k[lo], %k[lo]\n\t"                                \
  "mulxq 0(%[a]), %[lo], %[top]\n\t adoxq %[lo], %[t0]\n\t"\
  "adcxq %[top], %[t1]\n\t"                                \
  "mulxq 8(%[a]), %[lo], %[top]\n\t adoxq %[lo], %[t1]\n\t"\
  "adcxq %[top], %[t2]\n\t"                                \
  "mulxq 16(%[a]), %[lo], %[top]\n\t adoxq %[lo], %[t2]\n\t"\
  "adcxq %[top], %[t3]\n\t"                                \
  "mulxq 24(%[a]), %[lo], %[top]\n\t adoxq %[lo], %[t3]\n\t"\
  "movl $0, %k[lo]\n\t"                                    \
  "adcxq %[lo], %[top]\n\t adoxq %[lo], %[top]\n\t"
// t = (t + m * p) / 2^64 with m = t0 * (-1/p).
#define ZKA_REDUCE                                         \
  "movq %[t0], %%rdx\n\t imulq %[inverse], %%rdx\n\t"      \
  "xorl %k[lo], %k[lo]\n\t"                                \
  "mulxq 0(%[p]), %[lo], %[hi]\n\t adcxq %[t0], %[lo]\n\t" \
  "movq %[hi], %[t0]\n\t"                                  \
  "adcxq %[t1], %[t0]\n\t"                                 \
  "mulxq 8(%[p]), %[lo], %[t1]\n\t adoxq %[lo], %[t0]\n\t" \
  "adcxq %[t2], %[t1]\n\t"                                 \
  "mulxq 16(%[p]), %[lo], %[t2]\n\t adoxq %[lo], %[t1]\n\t"\
  "adcxq %[t3], %[t2]\n\t"                                 \
  "mulxq 24(%[p]), %[lo], %[t3]\n\t adoxq %[lo], %[t2]\n\t"\
  "movl $0, %k[lo]\n\t"                                    \
  "adcxq %[lo], %[t3]\n\t adoxq %[top], %[t3]\n\t"
// clang-format on

template <class Params>
inline void montgomery_product_adx(uint64_t out[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t t0 = 0, t1 = 0, t2 = 0, t3 = 0, lo, hi, top;
  asm("movq 0(%[b]), %%rdx\n\t" ZKA_ROW ZKA_REDUCE
      "movq 8(%[b]), %%rdx\n\t" ZKA_ROW ZKA_REDUCE
      "movq 16(%[b]), %%rdx\n\t" ZKA_ROW ZKA_REDUCE
      "movq 24(%[b]), %%rdx\n\t" ZKA_ROW ZKA_REDUCE
      : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [lo] "=&r"(lo), [hi] "=&r"(hi),
        [top] "=&r"(top)
      : [a] "r"(a), [b] "r"(b), [p] "r"(Params::modulus), [inverse] "m"(Params::minus_inverse),
        "m"(*reinterpret_cast<const uint64_t(*)[4]>(a)), "m"(*reinterpret_cast<const uint64_t(*)[4]>(b)),
        "m"(Params::modulus)
      : "rdx", "cc");
  out[0] = t0;
  out[1] = t1;
  out[2] = t2;
  out[3] = t3;
}

#undef ZKA_ROW
#undef ZKA_REDUCE

}  // namespace zka::ZKA_ISA
