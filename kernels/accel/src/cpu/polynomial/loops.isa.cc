#include "cpu/polynomial/loops.h"

#include "cpu/polynomial/divide.h"
#include "cpu/polynomial/fold.h"
#include "cpu/polynomial/horner.h"
#include "ff/fields.h"

namespace zka::ZKA_ISA {
namespace {

template <class F>
F in(const zka_fe& x) {
  return F::of(x.l);
}
template <class F>
const F* in(const zka_fe* x) {
  return reinterpret_cast<const F*>(x);
}
template <class F>
zka_fe out_of(const F& x) {
  return {{x.l[0], x.l[1], x.l[2], x.l[3]}};
}

}  // namespace

zka_fe poly_horner(zka_field field, const zka_fe* c, size_t n, const zka_fe& x) {
  return with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    return out_of(horner<P>(in<F>(c), n, in<F>(x)));
  });
}

zka_fe poly_power(zka_field field, const zka_fe& x, size_t exponent) {
  return with_field(field, [&]<class P>(P) { return out_of(in<Field<P>>(x).pow(uint64_t{exponent})); });
}

zka_fe poly_mul_add(zka_field field, const zka_fe& a, const zka_fe& b, const zka_fe& c) {
  return with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    return out_of(in<F>(a) * in<F>(b) + in<F>(c));
  });
}

zka_fe poly_divide(zka_field field, zka_fe* c, size_t n, const zka_fe& root, const zka_fe& carry) {
  return with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    return out_of(divide<P>(reinterpret_cast<F*>(c), n, in<F>(root), in<F>(carry)));
  });
}

void poly_horner_streams(zka_field field, const zka_fe* c, size_t n, const zka_fe& x, zka_fe* values) {
  with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    horner_streams<P>(in<F>(c), n, in<F>(x), reinterpret_cast<F*>(values));
  });
}

void poly_divide_streams(zka_field field, zka_fe* c, size_t n, const zka_fe& root, const zka_fe* carries) {
  with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    divide_streams<P>(reinterpret_cast<F*>(c), n, in<F>(root), in<F>(carries));
  });
}

size_t poly_streams() { return STREAMS<FrParams>; }

void poly_fold(zka_field field, std::span<const Coefficients> polys, const zka_fe& factor,
               std::span<const Coefficients> low, zka_fe* out, size_t begin, size_t end) {
  with_field(field, [&]<class P>(P) {
    using F = Field<P>;
    fold<P>(polys, in<F>(factor), low, reinterpret_cast<F*>(out), begin, end);
  });
}

}  // namespace zka::ZKA_ISA
