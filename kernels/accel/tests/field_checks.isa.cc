// The scalar fields of this set of instructions against plain arithmetic and against each other.
#include "field_checks.h"

#include <cstring>
#include <vector>

#include "ff/constant_product.h"
#include "ff/fields.h"
#include "reference/plain_field.h"

namespace zka::ZKA_ISA {
namespace {

// Powers of two, one less, and the negatives of both; as they are in memory, whatever number that stands for.
template <class F>
std::vector<F> edges() {
  std::vector<F> all = {F::zero()};
  for (unsigned bit = 0; bit < 254; bit += 16) {
    F power = F::zero();
    power.l[bit / 64] = uint64_t{1} << (bit % 64);
    for (const F& x : {power, power - F::of({1, 0, 0, 0})}) {
      all.push_back(x);
      all.push_back(-x);
    }
  }
  return all;
}

template <class F>
zka_fe plain(const F& x) {
  zka_fe out;
  x.to_canonical(out.l);
  return out;
}

template <class F>
bool is(const F& x, const zka_fe& expected) {
  const zka_fe canonical = plain(x);
  return std::memcmp(canonical.l, expected.l, sizeof canonical.l) == 0;
}

template <class F>
size_t sums_and_products(zka_field field) {
  const auto all = edges<F>();
  size_t wrong = 0;
  for (const auto& a : all) {
    for (const auto& b : all) {
      const zka_fe x = plain(a), y = plain(b);
      wrong += !is(a + b, reference::add(field, x, y));
      wrong += !is(a - b, reference::sub(field, x, y));
      wrong += !is(a * b, reference::mul(field, x, y));
    }
  }
  return wrong;
}

template <class Params>
size_t products_by_constants() {
  using F = Field<Params>;
  const auto constants = edges<F>();
  const auto& p = Params::modulus;
  size_t wrong = 0;
  for (const F& x : constants) {
    const auto constant = Constant<Params>::of(x);
    for (const F& a : constants) {
      // As it is, and with p to three times p more.
      F number = a;
      for (int times = 0; times < 4; ++times, add4(number.l, number.l, p)) {
        F product;
        constant_product(product.l, number.l, constant);
        reduce_once(product.l, p);
        wrong += !(product == x * a);
      }
    }
  }
  return wrong;
}

template <class F>
size_t inverses() {
  size_t wrong = !F::zero().inverse().is_zero();
  for (F x : edges<F>()) {
    if (x.is_zero()) continue;
    for (int i = 0; i < 8; ++i, x = x * x + F::one()) wrong += !(x.inverse() * x == F::one());
  }
  return wrong;
}

template <class F>
size_t selections() {
  const F a = F::one(), b = -F::one();
  return !(F::select(true, a, b) == a) + !(F::select(false, a, b) == b);
}

}  // namespace

size_t wrong_sums_and_products(zka_field field) {
  return with_field(field, [&]<class P>(P) { return sums_and_products<Field<P>>(field); });
}
size_t wrong_products_by_constants(zka_field field) {
  return with_field(field, []<class P>(P) { return products_by_constants<P>(); });
}
size_t wrong_inverses(zka_field field) {
  return with_field(field, []<class P>(P) { return inverses<Field<P>>(); });
}
size_t wrong_selections(zka_field field) {
  return with_field(field, []<class P>(P) { return selections<Field<P>>(); });
}

}  // namespace zka::ZKA_ISA
