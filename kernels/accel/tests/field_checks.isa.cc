// The scalar fields of this set of instructions against plain arithmetic and against each other.
#include "field_checks.h"

#include <cstring>
#include <vector>

#include "ff/constant_product.h"
#include "ff/field.h"
#include "reference/plain_field.h"

namespace zka::ZKA_ISA {
namespace {

struct InFr {
  using F = Fr;
  using Params = FrParams;
  static constexpr zka_field field = ZKA_FIELD_BN254_FR;
};
struct InFq {
  using F = Fq;
  using Params = FqParams;
  static constexpr zka_field field = ZKA_FIELD_BN254_FQ;
};

// Powers of two, one less, and the negatives of both; as they lie in memory, whatever number that stands for.
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

template <class In>
size_t sums_and_products() {
  const auto all = edges<typename In::F>();
  size_t wrong = 0;
  for (const auto& a : all) {
    for (const auto& b : all) {
      const zka_fe x = plain(a), y = plain(b);
      wrong += !is(a + b, reference::add(In::field, x, y));
      wrong += !is(a - b, reference::sub(In::field, x, y));
      wrong += !is(a * b, reference::mul(In::field, x, y));
    }
  }
  return wrong;
}

template <class In>
size_t products_by_constants() {
  using F = typename In::F;
  const auto constants = edges<F>();
  const auto& p = In::Params::modulus;
  size_t wrong = 0;
  for (const F& x : constants) {
    const auto constant = Constant<typename In::Params>::of(x);
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

template <class In>
size_t inverses() {
  using F = typename In::F;
  size_t wrong = !F::zero().inverse().is_zero();
  for (F x : edges<F>()) {
    if (x.is_zero()) continue;
    for (int i = 0; i < 8; ++i, x = x * x + F::one()) wrong += !(x.inverse() * x == F::one());
  }
  return wrong;
}

template <class In>
size_t selections() {
  using F = typename In::F;
  const F a = F::one(), b = -F::one();
  return !(F::select(true, a, b) == a) + !(F::select(false, a, b) == b);
}

}  // namespace

size_t wrong_sums_and_products(zka_field field) {
  return field == ZKA_FIELD_BN254_FR ? sums_and_products<InFr>() : sums_and_products<InFq>();
}
size_t wrong_products_by_constants(zka_field field) {
  return field == ZKA_FIELD_BN254_FR ? products_by_constants<InFr>() : products_by_constants<InFq>();
}
size_t wrong_inverses(zka_field field) { return field == ZKA_FIELD_BN254_FR ? inverses<InFr>() : inverses<InFq>(); }
size_t wrong_selections(zka_field field) { return field == ZKA_FIELD_BN254_FR ? selections<InFr>() : selections<InFq>(); }

}  // namespace zka::ZKA_ISA
