// The prime fields on a device, with what ff/field.h has. In Montgomery form as there, but below 2p: one subtraction
// less for each product. What a kernel writes for others to read is canonical(), below p.
#pragma once
#include "ff/constants.h"
#include "gpu/field/montgomery.h"

namespace zka::gpu {

template <class Params>
struct Field {
  Words l;

  static constexpr ZKA_HD Field zero() { return {{{0, 0, 0, 0, 0, 0, 0, 0}}}; }
  static constexpr ZKA_HD Field one() {
    constexpr Field value = of(Params::r_one);
    return value;
  }
  static constexpr ZKA_HD Field of(const uint64_t (&limbs)[4]) { return {Words::of(limbs)}; }

  // From the value itself, and back to it.
  ZKA_HD Field from_canonical() const {
    constexpr Field factor = of(Params::r_squared);
    return *this * factor;
  }
  ZKA_HD Field to_canonical() const { return Field{Montgomery<Params>::reduced(l)}.canonical(); }
  static ZKA_HD Field from_u64(uint64_t value) { return of({value, 0, 0, 0}).from_canonical(); }

  // The same below p.
  ZKA_HD Field canonical() const { return {reduced_once(l, modulus())}; }
  ZKA_HD bool is_below_modulus() const {
    uint32_t borrow;
    difference(l, modulus(), borrow);
    return borrow != 0;
  }
  ZKA_HD bool is_zero() const { return l.is_zero() || l == modulus(); }

  friend ZKA_HD bool operator==(Field a, Field b) { return (a - b).is_zero(); }
  friend ZKA_HD Field operator+(Field a, Field b) { return {reduced_once(sum(a.l, b.l), modulus_twice())}; }
  friend ZKA_HD Field operator-(Field a, Field b) {
    uint32_t borrow;
    Words out = difference(a.l, b.l, borrow), back = modulus_twice();
    ZKA_UNROLLED
    for (int i = 0; i < 8; ++i) back.w[i] &= borrow;
    return {sum(out, back)};
  }
  friend ZKA_HD Field operator*(Field a, Field b) { return {Montgomery<Params>::product(a.l, b.l)}; }
  ZKA_HD Field operator-() const { return zero() - *this; }
  ZKA_HD Field& operator+=(Field b) { return *this = *this + b; }
  ZKA_HD Field& operator-=(Field b) { return *this = *this - b; }
  ZKA_HD Field& operator*=(Field b) { return *this = *this * b; }
  ZKA_HD Field square() const { return {Montgomery<Params>::square(l)}; }
  ZKA_HD Field dbl() const { return *this + *this; }

  // To the power of 2^times.
  ZKA_HD Field squared(unsigned times) const {
    Field power = *this;
    ZKA_ROLLED
    for (unsigned i = 0; i < times; ++i) power = power.square();
    return power;
  }
  // In a time that depends on the exponent.
  ZKA_HD Field pow(uint64_t exponent) const {
    Field power = one(), square = *this;
    ZKA_ROLLED
    for (; exponent != 0; exponent >>= 1, square = square.square()) {
      if (exponent & 1) power *= square;
    }
    return power;
  }
  // By Fermat; zero gives zero.
  ZKA_HD Field inverse() const {
    constexpr Words exponent = Words::of(Params::p_minus_2);
    Field power = one();
    ZKA_ROLLED
    for (int bit = 253; bit >= 0; --bit) {
      power = power.square();
      if (exponent.w[bit / 32] >> (bit % 32) & 1) power *= *this;
    }
    return power;
  }

 private:
  static ZKA_HD Words modulus() {
    constexpr Words p = Words::of(Params::modulus);
    return p;
  }
  static ZKA_HD Words modulus_twice() {
    constexpr Words p = Words::of(Params::modulus).doubled();
    return p;
  }
};

using Fr = Field<FrParams>;
using Fq = Field<FqParams>;

}  // namespace zka::gpu
