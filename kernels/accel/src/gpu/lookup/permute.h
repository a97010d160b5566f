// The permuted pair of columns.
#pragma once
#include <cstddef>
#include <cstdint>

#include "gpu/device/queue.h"
#include "zkaccel/lookup.h"

namespace zka::gpu {

// What zka_permute_pair does. Waits until it is known that the table has all values; throws NOT_IN_TABLE and sets
// *bad_row, if it is not null; the outputs are then untouched.
void permute_pair(DeviceQueue& queue, zka_field field, const zka_fe* a, const zka_fe* s, size_t usable,
                  zka_permute_order order, zka_fe* a_out, zka_fe* s_out, uint64_t* bad_row);
// What that takes of the device's memory. Throws SIZE.
uint64_t permute_pair_bytes(size_t usable);

}  // namespace zka::gpu
