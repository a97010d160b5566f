// The device's arithmetic on the host, against the CPU's, which is tested against what was worked out elsewhere.
#include "gpu/field/field.h"

#include <doctest/doctest.h>

#include <vector>

#include "ff/field.h"
#include "support/elements.h"

using namespace zka::test;
using zka::FqParams;
using zka::FrParams;
using zka::gpu::Words;

namespace {

template <class Params>
struct Both {
  using Gpu = zka::gpu::Field<Params>;
  using Cpu = zka::ZKA_ISA::Field<Params>;

  static Gpu gpu(const zka_fe& element) { return Gpu::of(element.l); }
  static Cpu cpu(const zka_fe& element) { return Cpu::of(element.l); }
  // The other number below 2p that is the same modulo p.
  static Gpu above(const zka_fe& element) { return {sum(gpu(element).l, Words::of(Params::modulus))}; }

  static void same(const Gpu& value, const Cpu& expected) {
    Words twice = Words::of(Params::modulus).doubled();
    uint32_t borrow;
    difference(value.l, twice, borrow);
    CHECK(borrow != 0);
    CHECK(value.canonical().l == Words::of(expected.l));
  }

  // Elements at the edges of the field and of its words, and others.
  static std::vector<zka_fe> elements(zka_field field) {
    std::vector<zka_fe> all = {fe(0), fe(1), fe(2), below(field, 1), below(field, 2), fe(0xffffffff), {{0, ~0ull, 0, 0}},
                               {{~0ull, ~0ull, ~0ull, ~0ull >> 3}}, {{0, 0, 0, 1ull << 61}}};
    for (const zka_fe& each : Random(11).elements(field, 40)) all.push_back(each);
    return all;
  }
};

template <class Check>
void in_both_fields(const Check& check) {
  check(Both<FrParams>{}, ZKA_FIELD_BN254_FR);
  check(Both<FqParams>{}, ZKA_FIELD_BN254_FQ);
}

}  // namespace

TEST_CASE("a device's products, squares, sums and differences are the CPU's, of values below p and from p to 2p") {
  in_both_fields([](auto both, zka_field field) {
    const auto all = both.elements(field);
    for (const zka_fe& x : all) {
      const auto a = both.cpu(x);
      for (const auto& lazy_a : {both.gpu(x), both.above(x)}) {
        both.same(lazy_a.square(), a.square());
        both.same(lazy_a.dbl(), a.dbl());
        both.same(-lazy_a, -a);
        CHECK(lazy_a.is_zero() == a.is_zero());
        for (const zka_fe& y : all) {
          const auto b = both.cpu(y);
          for (const auto& lazy_b : {both.gpu(y), both.above(y)}) {
            both.same(lazy_a * lazy_b, a * b);
            both.same(lazy_a + lazy_b, a + b);
            both.same(lazy_a - lazy_b, a - b);
            CHECK((lazy_a == lazy_b) == (a == b));
          }
        }
      }
    }
  });
}

TEST_CASE("a device's inverses, powers and forms are the CPU's") {
  in_both_fields([](auto both, zka_field field) {
    using Gpu = typename decltype(both)::Gpu;
    for (const zka_fe& x : both.elements(field)) {
      const auto a = both.cpu(x);
      for (const auto& lazy : {both.gpu(x), both.above(x)}) {
        both.same(lazy.inverse(), a.inverse());
        both.same(lazy.pow(0), a.pow(0));
        both.same(lazy.pow(0x8000000000000001), a.pow(0x8000000000000001));
        uint64_t value[4];
        a.to_canonical(value);
        CHECK(lazy.to_canonical().l == Words::of(value));
        both.same(Gpu::of(value).from_canonical(), a);
      }
      CHECK(both.gpu(x).is_below_modulus());
      CHECK(!both.above(x).is_below_modulus());
    }
    both.same(Gpu::from_u64(0x123456789abcdef0), decltype(both.cpu({}))::from_u64(0x123456789abcdef0));
    both.same(Gpu::one(), decltype(both.cpu({}))::one());
  });
}
