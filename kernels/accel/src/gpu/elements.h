// Elements of the interface as those of a device's field: the same bytes. In buffers they are canonical.
#pragma once
#include <type_traits>

#include "ff/fields.h"
#include "gpu/field/field.h"

namespace zka::gpu {

// work(std::type_identity<F>{}) with the type of that field. Throws INVALID_ARG.
template <class Work>
void in_field(zka_field field, const Work& work) {
  with_field(field, [&]<class Params>(Params) { work(std::type_identity<Field<Params>>{}); });
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
