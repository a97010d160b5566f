// Elements of the interface as those of a device's field: the same bytes. In buffers they are canonical.
#pragma once
#include <type_traits>

#include "gpu/field/field.h"
#include "zkaccel/buffer.h"

namespace zka::gpu {

// work(std::type_identity<F>{}) with the type of that field.
template <class Work>
void in_field(zka_field field, const Work& work) {
  field == ZKA_FIELD_BN254_FR ? work(std::type_identity<Fr>{}) : work(std::type_identity<Fq>{});
}

template <class F>
ZKA_HD F* of_field(zka_fe* elements) {
  static_assert(sizeof(F) == sizeof(zka_fe));
  return reinterpret_cast<F*>(elements);
}
template <class F>
ZKA_HD const F* of_field(const zka_fe* elements) {
  return reinterpret_cast<const F*>(elements);
}

}  // namespace zka::gpu
