// The inverse by divisions of 2-adic numbers, several bits at a time, in a time that depends on the value.
// [Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019, ePrint 2019/266; in batches of 62
// steps, with bits cancelled together: Wuille, "The safegcd implementation in libsecp256k1 explained", 2021]
//
// A step keeps f odd and gcd(f, g): g becomes g/2, (g + f)/2, or (g - f)/2 while f becomes g. 62 steps depend on the low
// bits of f and g only, and are a matrix over 2^62. The same matrices turn (0, 1) into (d, e) with f = d * x and
// g = e * x mod p: when g is 0, f is 1 or -1 (or p, for x = 0) and d the inverse but for that sign.
#pragma once
#include <cstdint>

#include "isa.h"
#include "limbs.h"

namespace zka::ZKA_ISA {

using SignedWide = __int128;

// Five limbs of 62 bits, of which the topmost has the sign.
struct Signed62 {
  static constexpr int64_t MASK = (int64_t{1} << 62) - 1;
  int64_t l[5];

  static Signed62 from(const uint64_t x[4]) {
    const auto low = [](uint64_t limb) { return static_cast<int64_t>(limb) & MASK; };
    return {{low(x[0]), low(x[0] >> 62 | x[1] << 2), low(x[1] >> 60 | x[2] << 4), low(x[2] >> 58 | x[3] << 6),
             static_cast<int64_t>(x[3] >> 56)}};
  }
  // Of a number that is not negative.
  void to(uint64_t out[4]) const {
    const auto limb = [&](int i) { return static_cast<uint64_t>(l[i]); };
    out[0] = limb(0) | limb(1) << 62;
    out[1] = limb(1) >> 2 | limb(2) << 60;
    out[2] = limb(2) >> 4 | limb(3) << 58;
    out[3] = limb(3) >> 6 | limb(4) << 56;
  }
  bool is_zero() const { return (l[0] | l[1] | l[2] | l[3] | l[4]) == 0; }
  bool is_negative() const { return l[4] < 0; }

  friend Signed62 operator+(const Signed62& a, const Signed62& b) { return a.combined(b, 1); }
  friend Signed62 operator-(const Signed62& a, const Signed62& b) { return a.combined(b, -1); }

 private:
  Signed62 combined(const Signed62& other, int64_t times) const {
    Signed62 out;
    int64_t carry = 0;
    for (int i = 0; i < 5; ++i) {
      const int64_t limb = l[i] + times * other.l[i] + carry;
      out.l[i] = i < 4 ? limb & MASK : limb;
      carry = limb >> 62;
    }
    return out;
  }
};

// 62 steps: 2^62 (f, g) = (u f + v g, q f + r g).
struct Steps62 {
  int64_t u, v, q, r;

  // `minus_delta` is what the paper calls -delta, before and after.
  static Steps62 of(uint64_t f, uint64_t g, int64_t& minus_delta) {
    uint64_t u = 1, v = 0, q = 0, r = 1;
    for (int left = 62;;) {
      const int zeros = __builtin_ctzll(g | ~uint64_t{0} << left);
      g >>= zeros;
      u <<= zeros;
      v <<= zeros;
      minus_delta -= zeros;
      left -= zeros;
      if (left == 0) break;
      if (minus_delta < 0) {
        minus_delta = -minus_delta;
        const uint64_t old_f = f, old_u = u, old_v = v;
        f = g, u = q, v = r;
        g = 0 - old_f, q = 0 - old_u, r = 0 - old_v;
      }
      // f * (f^2 - 2) is -1/f modulo 64: so many multiples of f make up to six bits of g zero, as far as no swap comes
      // in between.
      const int bits = minus_delta + 1 < left ? static_cast<int>(minus_delta) + 1 : left;
      const uint64_t times = (f * g * (f * f - 2)) & (bits < 6 ? (uint64_t{1} << bits) - 1 : 63);
      g += f * times;
      q += u * times;
      r += v * times;
    }
    return {static_cast<int64_t>(u), static_cast<int64_t>(v), static_cast<int64_t>(q), static_cast<int64_t>(r)};
  }
};

// (a * u + b * v + c * w) / 2^62, where that is a whole number.
inline Signed62 shifted_sum(const Signed62& a, int64_t u, const Signed62& b, int64_t v, const Signed62& c, int64_t w) {
  const auto terms = [&](int i) {
    return static_cast<SignedWide>(a.l[i]) * u + static_cast<SignedWide>(b.l[i]) * v +
           static_cast<SignedWide>(c.l[i]) * w;
  };
  Signed62 out;
  SignedWide sum = terms(0);
  for (int i = 1; i < 5; ++i) {
    sum = (sum >> 62) + terms(i);
    out.l[i - 1] = static_cast<int64_t>(sum) & Signed62::MASK;
  }
  out.l[4] = static_cast<int64_t>(sum >> 62);
  return out;
}

// 1/x mod p, of x below p; 0 of 0.
template <class Params>
void inverse_mod(uint64_t out[4], const uint64_t x[4]) {
  const Signed62 p = Signed62::from(Params::modulus);
  Signed62 f = p, g = Signed62::from(x), d = {{0, 0, 0, 0, 0}}, e = {{1, 0, 0, 0, 0}};
  // (d * u + e * v) / 2^62 mod p, between -2p and p as d and e are: p as often as makes it an integer, and once for each of
  // them that is negative.
  const auto next = [&](int64_t u, int64_t v) {
    const uint64_t low = static_cast<uint64_t>(d.l[0]) * static_cast<uint64_t>(u) +
                         static_cast<uint64_t>(e.l[0]) * static_cast<uint64_t>(v);
    const int64_t back = (d.is_negative() ? u : 0) + (e.is_negative() ? v : 0);
    const uint64_t times = (static_cast<uint64_t>(back) - low * Params::minus_inverse) & Signed62::MASK;
    return shifted_sum(d, u, e, v, p, back - static_cast<int64_t>(times));
  };
  for (int64_t minus_delta = -1; !g.is_zero();) {
    const Steps62 steps = Steps62::of(static_cast<uint64_t>(f.l[0]), static_cast<uint64_t>(g.l[0]), minus_delta);
    const Signed62 next_d = next(steps.u, steps.v), next_f = shifted_sum(f, steps.u, g, steps.v, p, 0);
    e = next(steps.q, steps.r);
    g = shifted_sum(f, steps.q, g, steps.r, p, 0);
    d = next_d;
    f = next_f;
  }
  while (d.is_negative()) d = d + p;
  if (f.is_negative() && !d.is_zero()) d = p - d;
  d.to(out);
}

}  // namespace zka::ZKA_ISA
