// Field elements as the interface has them.
#pragma once
#include "ff/fields.h"

namespace zka {

// Throws INVALID_ARG.
constexpr const uint64_t (&modulus_of(zka_field field))[4] {
  return ZKA_ISA::with_field(field, []<class Params>(Params) -> const uint64_t (&)[4] { return Params::modulus; });
}

inline bool is_below_modulus(zka_field field, const zka_fe& value) {
  return ZKA_ISA::less4(value.l, modulus_of(field));
}

}  // namespace zka
