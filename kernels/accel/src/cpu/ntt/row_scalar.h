// A row of eight elements, one after the other.
#pragma once
#include "ff/field.h"

namespace zka::ZKA_ISA {

struct ScalarRow {
  using Factor = Fr;
  Fr x[8];

  static ScalarRow load(const Fr* at, size_t step) {
    ScalarRow row;
    for (size_t i = 0; i < 8; ++i) row.x[i] = at[i * step];
    return row;
  }
  static ScalarRow load_running(const Fr* at) { return load(at, 1); }
  void store_between(Fr* at, size_t step) const {
    for (size_t i = 0; i < 8; ++i) at[i * step] = x[i];
  }
  void store_last(Fr* at, size_t step) const { store_between(at, step); }
  void times(const Fr& factor) {
    for (Fr& element : x) element *= factor;
  }
  void times(const ScalarRow& factors) {
    for (size_t i = 0; i < 8; ++i) x[i] *= factors.x[i];
  }

  // (a, b) -> (a + b, a - b)
  static void butterfly(Fr& a, Fr& b) {
    const Fr difference = a - b;
    a += b;
    b = difference;
  }
  static void butterfly(ScalarRow& a, ScalarRow& b) {
    for (size_t i = 0; i < 8; ++i) butterfly(a.x[i], b.x[i]);
  }
  // Two levels at once, without factors but for the root of order 4.
  static void butterflies_first(ScalarRow& a, ScalarRow& b, ScalarRow& c, ScalarRow& d, const Fr& root4) {
    for (size_t i = 0; i < 8; ++i) {
      butterfly(a.x[i], b.x[i]);
      butterfly(c.x[i], d.x[i]);
      d.x[i] *= root4;
      butterfly(a.x[i], c.x[i]);
      butterfly(b.x[i], d.x[i]);
    }
  }
  // Two levels at once: w1 of the first; w2 and w3 of the second.
  static void butterflies(ScalarRow& a, ScalarRow& b, ScalarRow& c, ScalarRow& d, const Fr& w1, const Fr& w2,
                          const Fr& w3) {
    for (size_t i = 0; i < 8; ++i) {
      b.x[i] *= w1;
      d.x[i] *= w1;
      butterfly(a.x[i], b.x[i]);
      butterfly(c.x[i], d.x[i]);
      c.x[i] *= w2;
      d.x[i] *= w3;
      butterfly(a.x[i], c.x[i]);
      butterfly(b.x[i], d.x[i]);
    }
  }
};

}  // namespace zka::ZKA_ISA
