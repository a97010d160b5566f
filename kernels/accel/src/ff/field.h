// A prime field below 2^254 in Montgomery form, R = 2^256: the in-memory form of halo2curves and arkworks. Values are
// always below p. Params is one of constants.h. Devices have another one.
#pragma once
#if defined(ZKA_GPU)
#include "gpu/field/field.h"
#else
#include <cstddef>

#include "constants.h"
#include "inverse.h"
#include "limbs.h"
#include "montgomery.h"

namespace zka::ZKA_ISA {

template <class Params>
struct alignas(8) Field {
  uint64_t l[4];

  static constexpr Field zero() { return {{0, 0, 0, 0}}; }
  static constexpr Field one() { return of(Params::r_one); }
  static constexpr Field of(const uint64_t (&limbs)[4]) { return {{limbs[0], limbs[1], limbs[2], limbs[3]}}; }

  // From the value itself, which must be below p.
  static Field from_canonical(const uint64_t (&value)[4]) { return of(value) * of(Params::r_squared); }
  static Field from_u64(uint64_t value) {
    const uint64_t limbs[4] = {value, 0, 0, 0};
    return from_canonical(limbs);
  }
  void to_canonical(uint64_t (&out)[4]) const {
    const uint64_t unit[4] = {1, 0, 0, 0};
    const Field value = *this * of(unit);
    for (int i = 0; i < 4; ++i) out[i] = value.l[i];
  }

  // a where `first`, else b, without a branch.
  static Field select(bool first, const Field& a, const Field& b) {
    const uint64_t mask = 0 - uint64_t{first};
    Field out;
    for (int i = 0; i < 4; ++i) out.l[i] = b.l[i] ^ ((a.l[i] ^ b.l[i]) & mask);
    return out;
  }

  bool is_zero() const { return (l[0] | l[1] | l[2] | l[3]) == 0; }
  bool is_below_modulus() const { return less4(l, Params::modulus); }

  friend bool operator==(const Field& a, const Field& b) {
    return ((a.l[0] ^ b.l[0]) | (a.l[1] ^ b.l[1]) | (a.l[2] ^ b.l[2]) | (a.l[3] ^ b.l[3])) == 0;
  }
  friend Field operator+(const Field& a, const Field& b) {
    Field sum;
    add4(sum.l, a.l, b.l);  // below 2p < 2^255
    reduce_once(sum.l, Params::modulus);
    return sum;
  }
  friend Field operator-(const Field& a, const Field& b) {
    Field difference;
    sub_mod(difference.l, a.l, b.l, Params::modulus);
    return difference;
  }
  friend Field operator*(const Field& a, const Field& b) {
    Field product;
    montgomery_mul<Params>(product.l, a.l, b.l);
    return product;
  }
  Field operator-() const { return zero() - *this; }
  Field& operator+=(const Field& b) { return *this = *this + b; }
  Field& operator-=(const Field& b) { return *this = *this - b; }
  Field& operator*=(const Field& b) { return *this = *this * b; }
  Field square() const { return *this * *this; }
  Field dbl() const { return *this + *this; }
  // To the power of 2^times.
  Field squared(unsigned times) const {
    Field power = *this;
    for (unsigned i = 0; i < times; ++i) power = power.square();
    return power;
  }

  // Exponents of four limbs, in a time that depends on them.
  Field pow(const uint64_t (&exponent)[4]) const {
    Field power = one();
    for (int bit = 255; bit >= 0; --bit) {
      power = power.square();
      if ((exponent[bit / 64] >> (bit % 64)) & 1) power *= *this;
    }
    return power;
  }
  Field pow(uint64_t exponent) const {
    Field power = one(), square = *this;
    for (; exponent != 0; exponent >>= 1, square = square.square()) {
      if (exponent & 1) power *= square;
    }
    return power;
  }
  // Zero gives zero.
  Field inverse() const {
    Field over;
    inverse_mod<Params>(over.l, l);
    return over * of(Params::r_cubed);
  }
};

using Fr = Field<FrParams>;
using Fq = Field<FqParams>;

}  // namespace zka::ZKA_ISA
#endif
