// A row of eight elements, one after the other. Between levels of butterflies values are below 4p, which fits four
// limbs, and only what is added is brought below 2p. [Harvey, "Faster arithmetic for number-theoretic transforms", 2014]
#pragma once
#include "ff/constant_product.h"

namespace zka::ZKA_ISA {

struct ScalarRow {
  using Factor = Constant<FrParams>;
  struct Ratio {
    Factor x[8];
  };
  Fr x[8];

  static ScalarRow load(const Fr* at, size_t step) {
    ScalarRow row;
    for (size_t i = 0; i < 8; ++i) row.x[i] = at[i * step];
    return row;
  }
  static ScalarRow load_running(const Fr* at) { return load(at, 1); }
  static Ratio load_ratio(const Fr* at) {
    Ratio ratio;
    for (size_t i = 0; i < 8; ++i) ratio.x[i] = Factor::of(at[i]);
    return ratio;
  }
  // Only of values that were multiplied: below 2p.
  void store_between(Fr* at, size_t step) const {
    for (size_t i = 0; i < 8; ++i) at[i * step] = x[i];
  }
  void store_last(Fr* at, size_t step) const {
    for (size_t i = 0; i < 8; ++i) {
      Fr element = x[i];
      halve(element);
      reduce_once(element.l, FrParams::modulus);
      at[i * step] = element;
    }
  }
  void times(const Factor& factor) {
    for (Fr& element : x) turn(element, factor);
  }
  // Below 2p, from below 4p and factors below p.
  void times(const ScalarRow& factors) {
    for (size_t i = 0; i < 8; ++i) montgomery_product<FrParams>(x[i].l, x[i].l, factors.x[i].l);
  }
  // As a factor of rows, to the next one: below p.
  void step(const Ratio& ratio) {
    for (size_t i = 0; i < 8; ++i) {
      turn(x[i], ratio.x[i]);
      reduce_once(x[i].l, FrParams::modulus);
    }
  }

  // Of values below 2p.
  static void butterfly(ScalarRow& a, ScalarRow& b) {
    for (size_t i = 0; i < 8; ++i) cross(a.x[i], b.x[i]);
  }
  // Two levels at once, without factors but for the root of order 4. Of values below 2p.
  static void butterflies_first(ScalarRow& a, ScalarRow& b, ScalarRow& c, ScalarRow& d, const Factor& root4) {
    for (size_t i = 0; i < 8; ++i) {
      cross(a.x[i], b.x[i]);
      cross(c.x[i], d.x[i]);
      halve(a.x[i]);
      halve(c.x[i]);
      cross(a.x[i], c.x[i]);
      halve(b.x[i]);
      turn(d.x[i], root4);
      cross(b.x[i], d.x[i]);
    }
  }
  // Two levels at once: w1 of the first; w2 and w3 of the second.
  static void butterflies(ScalarRow& a, ScalarRow& b, ScalarRow& c, ScalarRow& d, const Factor& w1, const Factor& w2,
                          const Factor& w3) {
    for (size_t i = 0; i < 8; ++i) {
      turn(b.x[i], w1);
      turn(d.x[i], w1);
      halve(a.x[i]);
      halve(c.x[i]);
      cross(a.x[i], b.x[i]);
      cross(c.x[i], d.x[i]);
      turn(c.x[i], w2);
      turn(d.x[i], w3);
      halve(a.x[i]);
      halve(b.x[i]);
      cross(a.x[i], c.x[i]);
      cross(b.x[i], d.x[i]);
    }
  }

 private:
  static constexpr uint64_t TWICE[4] = {
      FrParams::modulus[0] << 1, FrParams::modulus[1] << 1 | FrParams::modulus[0] >> 63,
      FrParams::modulus[2] << 1 | FrParams::modulus[1] >> 63, FrParams::modulus[3] << 1 | FrParams::modulus[2] >> 63};

  // Below 2p, from below 4p.
  static void halve(Fr& x) { reduce_once(x.l, TWICE); }
  // x * factor, below 2p from below 4p.
  static void turn(Fr& x, const Factor& factor) { constant_product(x.l, x.l, factor); }
  // (a, b) -> (a + b, a - b + 2p), below 4p from below 2p.
  static void cross(Fr& a, Fr& b) {
    Fr difference;
    add4(difference.l, a.l, TWICE);
    sub4(difference.l, difference.l, b.l);
    add4(a.l, a.l, b.l);
    b = difference;
  }
};

}  // namespace zka::ZKA_ISA
