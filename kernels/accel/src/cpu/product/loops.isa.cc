#include "cpu/product/loops.h"

#include <algorithm>

#include "cpu/product/chains.h"
#include "ff/fields.h"

namespace zka::ZKA_ISA {
namespace {

using cpu::SEGMENTS;

// All that are not zero, with one inversion of the field. [Montgomery's trick; include/zkaccel/vector.h]
template <class F>
void invert_few(F (&x)[SEGMENTS]) {
  F before[SEGMENTS];
  F product = F::one();
  for (size_t i = 0; i < SEGMENTS; ++i) {
    before[i] = product;
    product *= x[i];
  }
  F inverse = product.inverse();
  for (size_t i = SEGMENTS; i-- > 0;) {
    const F rest = inverse * x[i];
    x[i] = inverse * before[i];
    inverse = rest;
  }
}

template <class Params>
struct In {
  using F = Field<Params>;
  using C = Chains<Params>;

  // The step's elements; ones after the last.
  static C step_of(const F* from, size_t n, size_t step, const C& ones) {
    const F* const at = from + step * SEGMENTS;
    const size_t left = n - step * SEGMENTS;
    if (left >= SEGMENTS) return C::load(at, 1);
    F padded[SEGMENTS];
    ones.store(padded, 1);
    std::copy_n(at, left, padded);
    return C::load(padded, 1);
  }

  static void invert(const F* from, F* to, size_t n, C* before) {
    const size_t steps = (n + SEGMENTS - 1) / SEGMENTS;
    const C ones = C::ones();
    C product = ones;
    for (size_t s = 0; s < steps; ++s) {
      const C x = step_of(from, n, s, ones);
      before[s] = product;
      product = product * x.with_zeros(x, ones);
    }
    F ends[SEGMENTS];
    product.store(ends, 1);
    invert_few(ends);
    C inverse = C::load(ends, 1);
    for (size_t s = steps; s-- > 0;) {
      const C x = step_of(from, n, s, ones);
      const C result = (inverse * before[s]).with_zeros(x, x);
      inverse = inverse * x.with_zeros(x, ones);
      const size_t left = n - s * SEGMENTS;
      if (left >= SEGMENTS) {
        result.store(to + s * SEGMENTS, 1);
      } else {
        F padded[SEGMENTS];
        result.store(padded, 1);
        std::copy_n(padded, left, to + s * SEGMENTS);
      }
    }
  }

  static void scan(const F* num, F* x, size_t n, F* totals) {
    const size_t length = n / SEGMENTS;
    C product = C::ones();
    for (size_t i = 0; i < length; ++i) {
      product = product * (C::load(num + i, length) * C::load(x + i, length));
      product.store(x + i, length);
    }
    product.store(totals, 1);
    F rest = F::one();
    for (size_t i = length * SEGMENTS; i < n; ++i) x[i] = rest *= num[i] * x[i];
    totals[SEGMENTS] = rest;
  }

  static void carry(F* x, size_t n, const F* carries) {
    const size_t length = n / SEGMENTS;
    for (size_t s = 0; s < SEGMENTS; ++s) scale(x + s * length, length, carries[s]);
    scale(x + SEGMENTS * length, n - SEGMENTS * length, carries[SEGMENTS]);
  }

  static void scale(F* x, size_t n, const F& by) {
    using L = Lanes<Params>;
    const auto factor = L::factor(by);
    size_t i = 0;
    for (; i + L::WIDTH <= n; i += L::WIDTH) (L::load(x + i) * factor).store(x + i);
    for (; i < n; ++i) x[i] *= by;
  }
};

template <class F>
const F* as(const zka_fe* x) {
  return reinterpret_cast<const F*>(x);
}
template <class F>
F* as(zka_fe* x) {
  return reinterpret_cast<F*>(x);
}

}  // namespace

void invert_block(zka_field field, const zka_fe* from, zka_fe* to, size_t n, void* scratch) {
  with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    In<P>::invert(as<F>(from), as<F>(to), n, static_cast<Chains<P>*>(scratch));
  });
}

void scan_block(zka_field field, const zka_fe* num, zka_fe* x, size_t n, zka_fe* totals) {
  with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    In<P>::scan(as<F>(num), as<F>(x), n, as<F>(totals));
  });
}

void carry_block(zka_field field, zka_fe* x, size_t n, const zka_fe* carries) {
  with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    In<P>::carry(as<F>(x), n, as<F>(carries));
  });
}

}  // namespace zka::ZKA_ISA
