// What transforms are over.
#pragma once
#include "gpu/field/field.h"

namespace zka::gpu {

ZKA_HD inline Fr power_of(Fr base, uint32_t exponent) {
  Fr power = Fr::one();
  for (; exponent != 0; exponent >>= 1, base = base.square()) {
    if ((exponent & 1) != 0) power *= base;
  }
  return power;
}

// base^(2^log_exponent)
inline Fr to_power_of_two(Fr base, unsigned log_exponent) {
  for (unsigned i = 0; i < log_exponent; ++i) base = base.square();
  return base;
}

}  // namespace zka::gpu
