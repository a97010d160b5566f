// The table of fields: the one place that chooses by a zka_field. A field of the interface without a row in both parts of
// it does not compile, and any other number is refused.
#pragma once
#include "core/unknown_id.h"
#include "ff/field.h"
#include "ff/isa.h"
#include "zkaccel/buffer.h"

namespace zka {

// Undefined for a field without a row.
template <zka_field ID>
struct FieldRow;
template <>
struct FieldRow<ZKA_FIELD_BN254_FR> {
  using Params = FrParams;
};
template <>
struct FieldRow<ZKA_FIELD_BN254_FQ> {
  using Params = FqParams;
};

}  // namespace zka

namespace zka::ZKA_ISA {

template <zka_field ID>
using FieldOf = Field<typename FieldRow<ID>::Params>;

// work(Params{}) with the constants of that field. Throws INVALID_ARG.
template <class Work>
constexpr decltype(auto) with_field(zka_field field, const Work& work) {
  switch (field) {
    case ZKA_FIELD_BN254_FR:
      return work(FieldRow<ZKA_FIELD_BN254_FR>::Params{});
    case ZKA_FIELD_BN254_FQ:
      return work(FieldRow<ZKA_FIELD_BN254_FQ>::Params{});
  }
  refuse_id("field", field);
}

}  // namespace zka::ZKA_ISA
