// Transforms on canonical values, by plain_field.h: the definition, and a plain radix 2.
#pragma once
#include <cstdint>
#include <vector>

#include "zkaccel/buffer.h"

namespace zka::reference {

zka_fe power(const zka_fe& base, uint64_t exponent);
zka_fe inverse(zka_field field, const zka_fe& value);
// The field's root of order 2^k: 7 to the power (r - 1) / 2^k.
zka_fe root(uint32_t k);
// The polynomial at each shift * omega^i, i < n. By Horner's rule.
std::vector<zka_fe> dft(const std::vector<zka_fe>& coefficients, const zka_fe& omega, const zka_fe& shift, size_t n);
// The same in n log n, for n coefficients and omega of order n. [Cooley and Tukey, 1965]
std::vector<zka_fe> radix2(std::vector<zka_fe> coefficients, const zka_fe& omega);
// x[i] goes to the place of i's reversed bits.
std::vector<zka_fe> bit_reversed(const std::vector<zka_fe>& x);

}  // namespace zka::reference
