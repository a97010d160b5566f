#include "cpu/buffer/loops.h"

#include "ff/fields.h"

namespace zka::ZKA_ISA {
namespace {

template <class F>
size_t import_of(zka_fe* to, const zka_fe* from, size_t n, zka_form form) {
  for (size_t i = 0; i < n; ++i) {
    const F value = F::of(from[i].l);
    if (!value.is_below_modulus()) return i;
    const F element = form == ZKA_FORM_CANONICAL ? F::from_canonical(value.l) : value;
    to[i] = {{element.l[0], element.l[1], element.l[2], element.l[3]}};
  }
  return n;
}

template <class F>
void export_of(const zka_fe* from, zka_fe* to, size_t n, zka_form form) {
  for (size_t i = 0; i < n; ++i) {
    if (form == ZKA_FORM_MONTGOMERY) {
      to[i] = from[i];
    } else {
      F::of(from[i].l).to_canonical(to[i].l);
    }
  }
}

}  // namespace

size_t import_elements(zka_field field, zka_fe* to, const zka_fe* from, size_t n, zka_form form) {
  return with_field(field, [&]<class P>(P) { return import_of<Field<P>>(to, from, n, form); });
}

void export_elements(zka_field field, const zka_fe* from, zka_fe* to, size_t n, zka_form form) {
  with_field(field, [&]<class P>(P) { export_of<Field<P>>(from, to, n, form); });
}

}  // namespace zka::ZKA_ISA
