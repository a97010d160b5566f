// Field elements as the interface has them.
#pragma once
#include "ff/field.h"
#include "zkaccel/buffer.h"

namespace zka {

constexpr const uint64_t (&modulus_of(zka_field field))[4] {
  return field == ZKA_FIELD_BN254_FR ? FrParams::modulus : FqParams::modulus;
}

inline bool is_below_modulus(zka_field field, const zka_fe& value) {
  return ZKA_ISA::less4(value.l, modulus_of(field));
}

}  // namespace zka
