#include "cpu/vector/loops.h"

#include "ff/fields.h"

namespace zka::ZKA_ISA {
namespace {

// What to do in one field. The elements of the interface are copied to the field's: the compiler makes nothing of it.
template <class Params>
struct In {
  using F = Field<Params>;

  static F load(const zka_fe& element) { return F::of(element.l); }
  static void store(zka_fe& element, const F& value) { element = {{value.l[0], value.l[1], value.l[2], value.l[3]}}; }

  static void apply(zka_vector_op op, const zka_fe* a, const zka_fe* b, zka_fe* out, size_t n) {
    switch (op) {
      case ZKA_OP_ADD:
        for (size_t i = 0; i < n; ++i) store(out[i], load(a[i]) + load(b[i]));
        break;
      case ZKA_OP_SUB:
        for (size_t i = 0; i < n; ++i) store(out[i], load(a[i]) - load(b[i]));
        break;
      case ZKA_OP_MUL:
        for (size_t i = 0; i < n; ++i) store(out[i], load(a[i]) * load(b[i]));
        break;
    }
  }

  static void scale_add(const zka_fe& factor, const zka_fe* a, const zka_fe* b, zka_fe* out, size_t n) {
    const F f = load(factor);
    for (size_t i = 0; i < n; ++i) {
      const F product = f * load(a[i]);
      store(out[i], b == nullptr ? product : product + load(b[i]));
    }
  }

  static void powers(const zka_fe& start, const zka_fe& base, size_t first, zka_fe* out, size_t n) {
    const F b = load(base);
    F power = load(start) * b.pow(first);
    for (size_t i = 0; i < n; ++i, power *= b) store(out[i], power);
  }
};

}  // namespace

void vector_apply(zka_field field, zka_vector_op op, const zka_fe* a, const zka_fe* b, zka_fe* out, size_t n) {
  with_field(field, [&]<class Params>(Params) { In<Params>::apply(op, a, b, out, n); });
}

void vector_scale_add(zka_field field, const zka_fe& factor, const zka_fe* a, const zka_fe* b, zka_fe* out, size_t n) {
  with_field(field, [&]<class Params>(Params) { In<Params>::scale_add(factor, a, b, out, n); });
}

void vector_powers(zka_field field, const zka_fe& start, const zka_fe& base, size_t first, zka_fe* out, size_t n) {
  with_field(field, [&]<class Params>(Params) { In<Params>::powers(start, base, first, out, n); });
}

}  // namespace zka::ZKA_ISA
