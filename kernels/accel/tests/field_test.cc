// The scalar fields of each set of instructions that this CPU has, at the edges of words and of the modulus.
#include <doctest/doctest.h>

#include "cpu/features.h"
#include "field_checks.h"
#include "support/elements.h"

namespace zka::test {
namespace {

template <class Wrong>
void check_each(Wrong wrong) {
  for (const Isa isa : {Isa::portable, Isa::adx, Isa::ifma}) {
    if (!cpu::has(isa)) continue;
    for (const zka_field field : FIELDS) {
      CAPTURE(cpu::isa_name(isa));
      CAPTURE(field);
      CHECK(wrong(isa, field) == 0);
    }
  }
}

}  // namespace

TEST_CASE("sums, differences and products of edges are those of plain numbers") {
  check_each([](Isa isa, zka_field field) { return ZKA_BY_ISA(isa, wrong_sums_and_products(field)); });
}

TEST_CASE("products by constants are right and below twice the modulus, of all below four times the modulus") {
  check_each([](Isa isa, zka_field field) { return ZKA_BY_ISA(isa, wrong_products_by_constants(field)); });
}

TEST_CASE("what edges and what follows from them are multiplied by to get one is their inverse") {
  check_each([](Isa isa, zka_field field) { return ZKA_BY_ISA(isa, wrong_inverses(field)); });
}

TEST_CASE("one of two is selected") {
  check_each([](Isa isa, zka_field field) { return ZKA_BY_ISA(isa, wrong_selections(field)); });
}

}  // namespace zka::test
