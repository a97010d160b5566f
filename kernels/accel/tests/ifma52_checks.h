// What ifma52_test.cc checks of the eight lanes of ff/ifma52.h; why not there: field_checks.h. `random`: RANDOMS elements.
// Each returns how many results were wrong.
#pragma once
#include <cstddef>

#include "zkaccel/buffer.h"

#if defined(ZKA_X86_VARIANTS)
namespace zka::ifma {

constexpr size_t RANDOMS = 512;

size_t wrong_lanes(zka_field field, const zka_fe* random);
size_t wrong_lanes_at_bounds(zka_field field, const zka_fe* random);
size_t wrong_places(zka_field field, const zka_fe* random);

}  // namespace zka::ifma
#endif
