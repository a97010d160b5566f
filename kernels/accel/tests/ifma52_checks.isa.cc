// The eight lanes of ff/ifma52.h against the scalar field: in the ifma variant.
#include "ifma52_checks.h"

#include <cstdint>
#include <vector>

#include "ff/fields.h"
#include "ff/ifma52.h"

#if defined(ZKA_HAVE_IFMA)
namespace zka::ifma {
namespace {

// 0, 1, 2, p-1, p-2, the edges of limbs of both sizes, and random ones; a multiple of eight.
template <class F>
std::vector<F> elements(const zka_fe* random) {
  std::vector<F> all = {F::zero(), F::of({1, 0, 0, 0}), F::of({2, 0, 0, 0}), -F::of({1, 0, 0, 0}), -F::of({2, 0, 0, 0}),
                        F::one(), -F::one()};
  for (int bit = 0; bit < 253; bit += 4) {
    F x = F::zero();
    x.l[bit / 64] = uint64_t{1} << (bit % 64);
    all.push_back(x);
    all.push_back(x - F::of({1, 0, 0, 0}));
    all.push_back(-x);
  }
  for (; all.size() < RANDOMS; ++random) all.push_back(F{{random->l[0], random->l[1], random->l[2], random->l[3]}});
  return all;
}

template <class F>
bool same(const F* a, const F* b) {
  for (int i = 0; i < 8; ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

template <class Params>
size_t lanes(const zka_fe* random) {
  using F = Field<Params>;
  using V = Field8<Params>;
  const std::vector<F> all = elements<F>(random);
  const size_t n = all.size();
  F out[8], expected[8];
  size_t wrong = 0;
  for (size_t i = 0; i < n; i += 8) {
    for (size_t shift = 0; shift < n; ++shift) {
      F b_memory[8];
      for (size_t lane = 0; lane < 8; ++lane) b_memory[lane] = all[(i + lane + shift) % n];
      const F* a_memory = &all[i];
      const V a = V::load(a_memory), b = V::load(b_memory);

      for (int lane = 0; lane < 8; ++lane) expected[lane] = a_memory[lane] * b_memory[lane];
      V::mul(a, V::load_inner(b_memory)).reduce().store(out);
      wrong += !same(out, expected);
      V::mul(V::load_inner(a_memory), V::load_inner(b_memory)).outer().store(out);
      wrong += !same(out, expected);
      V::mul(a, V::factor(b_memory[3])).reduce().store(out);
      wrong += !(out[3] == expected[3]);

      for (int lane = 0; lane < 8; ++lane) expected[lane] = a_memory[lane] + b_memory[lane];
      V::add(a, b).reduce().store(out);
      wrong += !same(out, expected);
      V::add_loose(a, b).tighten().reduce().store(out);
      wrong += !same(out, expected);

      for (int lane = 0; lane < 8; ++lane) expected[lane] = a_memory[lane] - b_memory[lane];
      V::sub(a, b).reduce().store(out);
      wrong += !same(out, expected);
      V::sub_loose(a, b, 1).reduce().store(out);
      wrong += !same(out, expected);
    }
  }
  return wrong;
}

template <class Params>
size_t lanes_at_bounds(const zka_fe* random) {
  using F = Field<Params>;
  using V = Field8<Params>;
  const std::vector<F> all = elements<F>(random);
  F out[8], expected[8];
  size_t wrong = 0;
  for (size_t i = 0; i < all.size(); i += 8) {
    const V x = V::load(&all[i]);
    // x + 83 p in exact limbs, below 2^260.
    V high = x;
    for (int times = 0; times < 83; ++times) {
      for (int j = 0; j < 5; ++j) high.l[j] = _mm512_add_epi64(high.l[j], V::p_limb(j));
      high = high.normalised();
    }
    high.tighten().reduce().store(out);
    wrong += !same(out, &all[i]);
    // 84p times anything below p stays tight.
    for (int lane = 0; lane < 8; ++lane) expected[lane] = all[i + lane] * all[7];
    V::mul(high, V::factor(all[7])).reduce().store(out);
    wrong += !same(out, expected);
    // Tight arguments of p and more: x + p.
    V above = x;
    for (int j = 0; j < 5; ++j) above.l[j] = _mm512_add_epi64(above.l[j], V::p_limb(j));
    above = above.normalised();
    for (int lane = 0; lane < 8; ++lane) expected[lane] = all[i + lane].dbl();
    V::add(above, above).reduce().store(out);
    wrong += !same(out, expected);
    for (int lane = 0; lane < 8; ++lane) expected[lane] = -all[i + lane];
    V::negate(above).reduce().store(out);
    wrong += !same(out, expected);
    V::sub(x, V::add(above, above)).reduce().store(out);
    wrong += !same(out, expected);
  }
  return wrong;
}

template <class Params>
size_t places(const zka_fe* random) {
  using F = Field<Params>;
  using V = Field8<Params>;
  const std::vector<F> all = elements<F>(random);
  const size_t order[8] = {77, 3, 400, 12, 5, 211, 4, 76};
  const F* from[8];
  std::vector<F> scattered(512, F::zero()), strided(512, F::zero());
  F* to[8];
  for (int i = 0; i < 8; ++i) from[i] = &all[order[i]], to[i] = &scattered[order[i]];
  V::load(from).store(to);
  V::load(all.data() + 3, 7).store(strided.data() + 1, 11);
  V two, four;
  V::mul2(two, V::load(from), V::load_inner(all.data()), four, V::load(all.data()), V::load_inner(from));
  F two_out[8], four_out[8];
  two.reduce().store(two_out);
  four.reduce().store(four_out);
  size_t wrong = 0;
  for (int i = 0; i < 8; ++i) {
    wrong += !(scattered[order[i]] == all[order[i]]);
    wrong += !(strided[1 + 11 * i] == all[3 + 7 * i]);
    wrong += !(two_out[i] == all[order[i]] * all[i]);
    wrong += !(four_out[i] == all[order[i]] * all[i]);
  }
  F zeros[8] = {all[9], F::zero(), all[10], all[11], F::zero(), F::zero(), all[12], F::zero()};
  wrong += !(V::load(zeros).is_zero() == 0b10110010);
  return wrong;
}

}  // namespace

size_t wrong_lanes(zka_field field, const zka_fe* random) {
  return with_field(field, [&]<class P>(P) { return lanes<P>(random); });
}
size_t wrong_lanes_at_bounds(zka_field field, const zka_fe* random) {
  return with_field(field, [&]<class P>(P) { return lanes_at_bounds<P>(random); });
}
size_t wrong_places(zka_field field, const zka_fe* random) {
  return with_field(field, [&]<class P>(P) { return places<P>(random); });
}

}  // namespace zka::ifma
#endif
