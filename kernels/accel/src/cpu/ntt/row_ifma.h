// A row of eight elements in the lanes of ff/ifma52.h. Data keep the memory's form, factors have the inner one.
// Bounds: loaded values are below 2p, as are products; each level of butterflies adds at most 2p (the first two: 6p
// together), so after the 14 levels of the longest tile values are below 32p, and a product with a tight one is tight.
#pragma once
#include "ff/ifma52.h"

namespace zka::ZKA_ISA {

struct IfmaRow {
  using Factor = Factor52;
  using Ratio = IfmaRow;
  Fr8 x;

  static IfmaRow load(const Fr* at, size_t step) { return {step == 1 ? Fr8::load(at) : Fr8::load(at, step)}; }
  // As factors of rows.
  static IfmaRow load_running(const Fr* at) { return {Fr8::load_inner(at).tighten()}; }
  static Ratio load_ratio(const Fr* at) { return load_running(at); }
  // Only of values that were multiplied: below 2p, which fits the memory.
  void store_between(Fr* at, size_t step) const { step == 1 ? x.store(at) : x.store(at, step); }
  void store_last(Fr* at, size_t step) const {
    const Fr8 reduced = x.tighten().reduce();
    step == 1 ? reduced.store(at) : reduced.store(at, step);
  }
  void times(const Factor52& factor) { x = Fr8::mul(x, factor); }
  void times(const IfmaRow& factors) { x = Fr8::mul(x, factors.x); }
  void step(const Ratio& ratio) { times(ratio); }

  // Of values below 2p.
  static void butterfly(IfmaRow& a, IfmaRow& b) {
    const Fr8 difference = Fr8::sub_loose(a.x, b.x);
    a.x = Fr8::add_loose(a.x, b.x);
    b.x = difference;
  }
  static void butterflies_first(IfmaRow& a, IfmaRow& b, IfmaRow& c, IfmaRow& d, const Factor52& root4) {
    const Fr8 d1 = Fr8::mul(Fr8::sub_loose(c.x, d.x), root4);
    const Fr8 a1 = Fr8::add_raw(a.x, b.x), b1 = Fr8::sub_raw(a.x, b.x), c1 = Fr8::add_raw(c.x, d.x);
    a.x = Fr8::add_loose(a1, c1);
    c.x = Fr8::sub_loose(a1, c1, 4);
    b.x = Fr8::add_loose(b1, d1);
    d.x = Fr8::sub_loose(b1, d1);
  }
  static void butterflies(IfmaRow& a, IfmaRow& b, IfmaRow& c, IfmaRow& d, const Factor52& w1, const Factor52& w2,
                          const Factor52& w3) {
    const Fr8 b1 = Fr8::mul(b.x, w1), d1 = Fr8::mul(d.x, w1);
    const Fr8 c2 = Fr8::mul(Fr8::add_loose(c.x, d1), w2), d2 = Fr8::mul(Fr8::sub_loose(c.x, d1), w3);
    const Fr8 sum = Fr8::add_raw(a.x, b1), difference = Fr8::sub_raw(a.x, b1);
    a.x = Fr8::add_loose(sum, c2);
    c.x = Fr8::sub_loose(sum, c2);
    b.x = Fr8::add_loose(difference, d2);
    d.x = Fr8::sub_loose(difference, d2);
  }
};

}  // namespace zka::ZKA_ISA
