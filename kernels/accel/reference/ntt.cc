#include "reference/ntt.h"

#include "reference/plain_field.h"

namespace zka::reference {
namespace {

constexpr zka_field FR = ZKA_FIELD_BN254_FR;
constexpr zka_fe ONE{{1, 0, 0, 0}};
// (r - 1) / 2^28
constexpr uint64_t ODD_PART[4] = {0x9b9709143e1f593f, 0x181585d2833e8487, 0x131a029b85045b68, 0x000000030644e72e};

zka_fe long_power(zka_field field, const zka_fe& base, const uint64_t (&exponent)[4]) {
  zka_fe out = ONE;
  for (int bit = 255; bit >= 0; --bit) {
    out = mul(field, out, out);
    if ((exponent[bit / 64] >> (bit % 64)) & 1) out = mul(field, out, base);
  }
  return out;
}

}  // namespace

zka_fe power(const zka_fe& base, uint64_t exponent) { return long_power(FR, base, {exponent, 0, 0, 0}); }

zka_fe inverse(zka_field field, const zka_fe& value) {
  zka_fe exponent = modulus(field);  // p - 2, by Fermat
  exponent.l[0] -= 2;
  return long_power(field, value, exponent.l);
}

zka_fe root(uint32_t k) {
  zka_fe out = long_power(FR, {{7, 0, 0, 0}}, ODD_PART);
  for (; k < 28; ++k) out = mul(FR, out, out);
  return out;
}

std::vector<zka_fe> dft(const std::vector<zka_fe>& coefficients, const zka_fe& omega, const zka_fe& shift, size_t n) {
  std::vector<zka_fe> out;
  zka_fe point = shift;
  for (size_t i = 0; i < n; ++i, point = mul(FR, point, omega)) {
    zka_fe value{};
    for (size_t j = coefficients.size(); j-- > 0;) value = add(FR, mul(FR, value, point), coefficients[j]);
    out.push_back(value);
  }
  return out;
}

std::vector<zka_fe> radix2(std::vector<zka_fe> x, const zka_fe& omega) {
  if (x.size() == 1) return x;
  std::vector<zka_fe> even, odd;
  for (size_t i = 0; i < x.size(); i += 2) {
    even.push_back(x[i]);
    odd.push_back(x[i + 1]);
  }
  const zka_fe squared = mul(FR, omega, omega);
  even = radix2(even, squared);
  odd = radix2(odd, squared);
  zka_fe twiddle = ONE;
  for (size_t i = 0; i < even.size(); ++i, twiddle = mul(FR, twiddle, omega)) {
    const zka_fe turned = mul(FR, twiddle, odd[i]);
    x[i] = add(FR, even[i], turned);
    x[i + even.size()] = sub(FR, even[i], turned);
  }
  return x;
}

std::vector<zka_fe> bit_reversed(const std::vector<zka_fe>& x) {
  std::vector<zka_fe> out(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    size_t place = 0;
    for (size_t bit = 1, other = x.size() >> 1; other > 0; bit <<= 1, other >>= 1) place |= (i & bit) ? other : 0;
    out[place] = x[i];
  }
  return out;
}

}  // namespace zka::reference
