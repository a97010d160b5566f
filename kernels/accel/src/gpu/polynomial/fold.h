// Powers of a factor times polynomials, summed.
#pragma once
#include "gpu/field/field.h"

namespace zka::gpu {

template <class F>
struct FoldTerm {
  const F* c;
  uint64_t n;
  const F* low;  // what is taken from it
  uint64_t low_n;
};

// out[j] = sum of factor^i * (terms[i].c[j] - terms[i].low[j]), by Horner's rule from the last one; out may be any c.
template <class F>
struct FoldTerms {
  const FoldTerm<F>* terms;
  uint64_t m;
  F factor;
  F* out;
  uint64_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t j = thread.index();
    if (j >= n) return;
    F sum = F::zero();
    ZKA_ROLLED
    for (uint64_t i = m; i-- > 0;) {
      const FoldTerm<F> term = terms[i];
      sum *= factor;
      if (j < term.n) sum += term.c[j];
      if (j < term.low_n) sum -= term.low[j];
    }
    out[j] = sum.canonical();
  }
};

}  // namespace zka::gpu
