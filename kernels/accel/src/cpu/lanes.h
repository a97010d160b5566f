// The elements that one step of a loop works on: eight side by side with IFMA, else one. What is written with these is
// one template for all variants. Values in lanes are in memory's form and below 2p; stored ones below p.
#pragma once
#include <cstddef>

#include "ff/field.h"
#if defined(ZKA_HAVE_IFMA)
#include "ff/ifma52.h"
#endif

namespace zka::ZKA_ISA {

template <class Params>
struct Lanes {
  using Scalar = Field<Params>;

#if defined(ZKA_HAVE_IFMA)
  static constexpr size_t WIDTH = 8;
  using Vector = Field8<Params>;
  // What much is multiplied by.
  using Factor = Factor52;

  static Factor factor(const Scalar& x) { return Vector::factor(x); }
  static Lanes load(const Scalar* at) { return {Vector::load(at)}; }
  // Lane i is at[i * stride].
  static Lanes load(const Scalar* at, size_t stride) { return {Vector::load(at, stride)}; }
  static Lanes broadcast(const Scalar& x) {
    const Scalar same[8] = {x, x, x, x, x, x, x, x};
    return load(same);
  }
  void store(Scalar* at) const { v.reduce().store(at); }
  void store(Scalar* at, size_t stride) const { v.reduce().store(at, stride); }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return {Vector::add(a.v, b.v)}; }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return {Vector::sub(a.v, b.v)}; }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return {Vector::mul(a.v, b.times_16())}; }
  friend Lanes operator*(const Lanes& a, const Factor& b) { return {Vector::mul(a.v, b)}; }
  Lanes operator-() const { return {Vector::negate(v)}; }

  // The inner form of ifma52.h, below 32p: 2p times that is within what mul takes.
  Vector times_16() const {
    const __m512i m = Vector::mask();
    Vector out;
    out.l[0] = _mm512_and_si512(_mm512_slli_epi64(v.l[0], 4), m);
    for (int i = 1; i < 5; ++i) {
      out.l[i] = _mm512_and_si512(
          _mm512_or_si512(_mm512_slli_epi64(v.l[i], 4), _mm512_srli_epi64(v.l[i - 1], 48)), m);
    }
    return out;
  }

  Vector v;
#else
  static constexpr size_t WIDTH = 1;
  using Factor = Scalar;

  static Factor factor(const Scalar& x) { return x; }
  static Lanes load(const Scalar* at, size_t = 1) { return {*at}; }
  static Lanes broadcast(const Scalar& x) { return {x}; }
  void store(Scalar* at, size_t = 1) const { *at = v; }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return {a.v + b.v}; }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return {a.v - b.v}; }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return {a.v * b.v}; }
  friend Lanes operator*(const Lanes& a, const Factor& b) { return {a.v * b}; }
  Lanes operator-() const { return {-v}; }

  Scalar v;
#endif
};

}  // namespace zka::ZKA_ISA
