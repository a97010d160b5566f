// Multi-scalar multiplication.
#pragma once
#include <cstddef>
#include <memory>

#include "core/operations/queue.h"
#include "zkaccel/msm.h"

namespace zka {

class MsmOperations {
 public:
  virtual ~MsmOperations() = default;

  // `points` is the caller's memory. With `check`, throws NON_CANONICAL or NOT_ON_CURVE and sets *bad_index.
  virtual std::unique_ptr<Prepared> bases(zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute,
                                          bool check, size_t* bad_index) = 0;
  virtual Bytes bases_bytes(zka_curve curve, size_t n, uint32_t precompute) = 0;

  // `out` is the caller's memory, written when the queue is synced.
  virtual void msm(Queue& queue, const Prepared& bases, size_t first, const zka_fe* scalars, size_t n, size_t batch,
                   zka_jacobian* out) = 0;
  virtual Bytes msm_bytes(const Prepared& bases, size_t n, size_t batch) = 0;

  // Both are the caller's memory.
  virtual void to_affine(Queue& queue, zka_curve curve, const zka_jacobian* points, size_t n, zka_affine* out) = 0;
};

}  // namespace zka
