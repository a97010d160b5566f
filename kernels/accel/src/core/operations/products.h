// Inverses and products along a vector.
#pragma once
#include <cstddef>

#include "core/operations/queue.h"
#include "zkaccel/vector.h"

namespace zka {

class ProductOperations {
 public:
  virtual ~ProductOperations() = default;

  virtual void batch_inverse(Queue& queue, zka_field field, zka_fe* v, size_t n) = 0;
  virtual Bytes batch_inverse_bytes(size_t n) = 0;
  // z has n + 1 elements, and is none of the others.
  virtual void grand_product(Queue& queue, zka_field field, const zka_fe* num, const zka_fe* den, zka_fe start,
                             size_t n, zka_fe* z) = 0;
  virtual Bytes grand_product_bytes(size_t n) = 0;
};

}  // namespace zka
