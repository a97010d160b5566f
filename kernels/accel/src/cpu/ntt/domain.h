// What the CPU keeps of a domain: its transforms, and the inverses of the vanishing polynomial on the coset.
#pragma once
#include "core/operations/queue.h"
#include "cpu/ntt/transform.h"

namespace zka::cpu {

class CpuDomain : public Prepared {
 public:
  // omega is of order 2^extended_k; the coset is not in what it generates.
  CpuDomain(Memory& memory, Isa isa, unsigned k, unsigned extended_k, const Fr& omega, const Fr& coset);
  static uint64_t bytes(Isa isa, unsigned k, unsigned extended_k);

  // Of 2^log_n elements, log_n being k or extended_k.
  const Transform& transform(unsigned log_n) const { return log_n == base_.log_n() ? base_ : extended_; }
  const Transform& extended() const { return transform(extended_k_); }
  // 1 / ((g * w^i)^n - 1), which repeats after a power of two: for i up to it or, where it is less than eight, to eight.
  const Array<Fr>& vanishing_inverses() const { return vanishing_; }

 private:
  unsigned extended_k_;
  Transform base_, extended_;
  Array<Fr> vanishing_;
};

}  // namespace zka::cpu
