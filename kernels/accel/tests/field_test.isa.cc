// The scalar fields of each set of instructions against plain arithmetic, at the edges of words and of the modulus.
#include <doctest/doctest.h>

#include <vector>

#include "cpu/features.h"
#include "ff/constant_product.h"
#include "reference/plain_field.h"
#include "support/elements.h"

namespace zka::ZKA_ISA {
namespace {

#if defined(ZKA_HAVE_IFMA)
constexpr Isa NEEDED = Isa::ifma;
#elif defined(ZKA_HAVE_ADX)
constexpr Isa NEEDED = Isa::adx;
#else
constexpr Isa NEEDED = Isa::portable;
#endif

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

}  // namespace

TEST_CASE_TEMPLATE("sums, differences and products of edges are those of plain numbers", In, InFr, InFq) {
  if (!cpu::has(NEEDED)) return;
  const auto all = edges<typename In::F>();
  size_t wrong = 0;
  for (const auto& a : all) {
    for (const auto& b : all) {
      const zka_fe x = plain(a), y = plain(b);
      if (!(plain(a + b) == reference::add(In::field, x, y))) ++wrong;
      if (!(plain(a - b) == reference::sub(In::field, x, y))) ++wrong;
      if (!(plain(a * b) == reference::mul(In::field, x, y))) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("products by constants are right and below twice the modulus, of all below four times the modulus", In, InFr, InFq) {
  if (!cpu::has(NEEDED)) return;
  using F = typename In::F;
  const auto constants = edges<F>();
  const auto& p = modulus_of(In::field);
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
        if (!(product == x * a)) ++wrong;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("what edges and what follows from them are multiplied by to get one is their inverse", In, InFr, InFq) {
  if (!cpu::has(NEEDED)) return;
  using F = typename In::F;
  for (F x : edges<F>()) {
    if (x.is_zero()) continue;
    for (int i = 0; i < 8; ++i, x = x * x + F::one()) CHECK(x.inverse() * x == F::one());
  }
  CHECK(F::zero().inverse().is_zero());
}

TEST_CASE_TEMPLATE("one of two is selected", In, InFr, InFq) {
  using F = typename In::F;
  const F a = F::one(), b = -F::one();
  CHECK(F::select(true, a, b) == a);
  CHECK(F::select(false, a, b) == b);
}

}  // namespace zka::ZKA_ISA
