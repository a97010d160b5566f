// The permuted columns of a lookup argument.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/operations/queue.h"
#include "zkaccel/lookup.h"

namespace zka {

class LookupOperations {
 public:
  virtual ~LookupOperations() = default;

  // Throws NOT_IN_TABLE and sets *bad_row, the caller's memory, if it is not null.
  virtual void permute_pair(Queue& queue, zka_field field, const zka_fe* a, const zka_fe* s, size_t usable,
                            zka_permute_order order, zka_fe* a_out, zka_fe* s_out, uint64_t* bad_row) = 0;
  virtual Bytes permute_pair_bytes(size_t usable) = 0;
};

}  // namespace zka
