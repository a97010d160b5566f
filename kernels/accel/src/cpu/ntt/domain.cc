#include "cpu/ntt/domain.h"

#include <algorithm>

namespace zka::cpu {
namespace {

uint64_t period(unsigned k, unsigned extended_k) { return uint64_t{1} << (extended_k - k); }

// All with one inversion, and without memory other than the result: prefix products there, and on the way back each
// value again from the one after it.
Array<Fr> vanishing(Memory& memory, unsigned k, unsigned extended_k, const Fr& omega, const Fr& coset) {
  const uint64_t n = period(k, extended_k);
  Array<Fr> all(memory, std::max<uint64_t>(n, LANES));
  const Fr ratio = omega.squared(k), ratio_inverse = ratio.inverse();
  Fr power = coset.squared(k), product = Fr::one();
  for (uint64_t i = 0; i < n; ++i, power *= ratio) {
    all[i] = product;
    product *= power - Fr::one();
  }
  Fr inverse = product.inverse();
  for (uint64_t i = n; i-- > 0;) {
    power *= ratio_inverse;
    all[i] *= inverse;
    inverse *= power - Fr::one();
  }
  for (uint64_t i = n; i < all.size(); ++i) all[i] = all[i - n];
  return all;
}

}  // namespace

CpuDomain::CpuDomain(Memory& memory, Isa isa, unsigned k, unsigned extended_k, const Fr& omega, const Fr& coset)
    : extended_k_(extended_k),
      base_(memory, isa, k, omega.squared(extended_k - k), coset),
      // Where both are one, `base_` is it.
      extended_(memory, isa, k == extended_k ? 0 : extended_k, omega, coset),
      vanishing_(vanishing(memory, k, extended_k, omega, coset)) {}

uint64_t CpuDomain::bytes(Isa isa, unsigned k, unsigned extended_k) {
  return Transform::bytes(isa, k) + (k == extended_k ? 0 : Transform::bytes(isa, extended_k)) +
         Memory::counted(std::max<uint64_t>(period(k, extended_k), LANES), sizeof(Fr));
}

}  // namespace zka::cpu
