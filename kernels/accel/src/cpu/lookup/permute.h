// The permuted pair of columns.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/job.h"
#include "zkaccel/lookup.h"

namespace zka::cpu {

// What zka_permute_pair does. Throws NOT_IN_TABLE and sets *bad_row, if it is not null; the outputs are then untouched.
void permute_pair(const Job& job, zka_field field, const zka_fe* a, const zka_fe* s, size_t usable,
                  zka_permute_order order, zka_fe* a_out, zka_fe* s_out, uint64_t* bad_row);
// What that takes.
uint64_t permute_pair_bytes(size_t usable);

}  // namespace zka::cpu
