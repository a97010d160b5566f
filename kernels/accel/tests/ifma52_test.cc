// The eight lanes of ff/ifma52.h against the scalar field, where the CPU has the instructions.
#include <doctest/doctest.h>

#include "cpu/features.h"
#include "ifma52_checks.h"
#include "support/elements.h"

#if defined(ZKA_X86_VARIANTS)
namespace zka::test {
namespace {

void check_both(size_t (*wrong)(zka_field, const zka_fe*)) {
  if (!cpu::has(Isa::ifma)) return;
  for (const zka_field field : FIELDS) {
    CAPTURE(field);
    CHECK(wrong(field, Random(52).elements(field, ifma::RANDOMS).data()) == 0);
  }
}

}  // namespace

TEST_CASE("eight lanes compute what the scalar field does") { check_both(ifma::wrong_lanes); }
TEST_CASE("lanes keep to their bounds at the edges of what is allowed") { check_both(ifma::wrong_lanes_at_bounds); }
TEST_CASE("elements come from and go to strides and scattered places") { check_both(ifma::wrong_places); }

}  // namespace zka::test
#endif
