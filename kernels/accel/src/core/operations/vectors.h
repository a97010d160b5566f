// Element-wise operations. Outputs may be inputs.
#pragma once
#include <cstddef>

#include "core/operations/queue.h"
#include "zkaccel/vector.h"

namespace zka {

class VectorOperations {
 public:
  virtual ~VectorOperations() = default;

  virtual void apply(Queue& queue, zka_field field, zka_vector_op op, const zka_fe* a, const zka_fe* b, zka_fe* out,
                     size_t n) = 0;
  // b may be null.
  virtual void scale_add(Queue& queue, zka_field field, zka_fe factor, const zka_fe* a, const zka_fe* b, zka_fe* out,
                         size_t n) = 0;
  virtual void powers(Queue& queue, zka_field field, zka_fe start, zka_fe base, zka_fe* out, size_t n) = 0;
};

}  // namespace zka
