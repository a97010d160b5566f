#include "cpu/lookup/keys.h"

#include <algorithm>

#include "cpu/lanes.h"
#include "ff/fields.h"

namespace zka::ZKA_ISA {
namespace {

template <class Params>
void multiply(const zka_fe* from, const uint64_t (&by)[4], zka_fe* to, size_t n) {
  using L = Lanes<Params>;
  using F = Field<Params>;
  const auto factor = L::factor(F::of(by));
  const F* const in = reinterpret_cast<const F*>(from);
  F* const out = reinterpret_cast<F*>(to);
  const size_t full = n / L::WIDTH * L::WIDTH;
  for (size_t i = 0; i < full; i += L::WIDTH) (L::load(in + i) * factor).store(out + i);
  if (full == n) return;
  F last[L::WIDTH] = {};
  std::copy(in + full, in + n, last);
  (L::load(last) * factor).store(last);
  std::copy_n(last, n - full, out + full);
}

// A multiplication divides by R: by one it leads from x R to x, by R^2 back.
constexpr uint64_t UNIT[4] = {1, 0, 0, 0};

}  // namespace

void lookup_keys(zka_field field, const zka_fe* rows, cpu::Key* keys, size_t n) {
  with_field(field, [&]<class Params>(Params) { multiply<Params>(rows, UNIT, keys, n); });
}

void lookup_rows(zka_field field, const cpu::Key* keys, zka_fe* rows, size_t n) {
  with_field(field, [&]<class Params>(Params) { multiply<Params>(keys, Params::r_squared, rows, n); });
}

}  // namespace zka::ZKA_ISA
