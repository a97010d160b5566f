// The hot parts of multi-scalar multiplication, once for each set of instructions and each curve.
#pragma once
#include "core/job.h"
#include "core/point_fault.h"
#include "cpu/msm/terms.h"

namespace zka {

struct MsmKernels {
  PointFault (*first_fault)(const zka_affine* points, size_t n, size_t& index);
  bool (*any_identity)(const zka_affine* points, size_t n);
  void (*apply_endomorphism)(const zka_affine* points, size_t n, zka_affine* out);
  void (*double_often)(const zka_affine* points, size_t n, unsigned times, zka_affine* out);
  void (*normalise)(const zka_jacobian* points, size_t n, zka_affine* out);

  // Scalars [begin, end) of a column; adds to `lengths`.
  void (*split_scalars)(const Terms& terms, const zka_fe* scalars, size_t begin, size_t end, uint64_t* parts,
                        Lengths& lengths);
  void (*sort_window)(const Terms& terms, Window& window);
  void (*sum_tile)(const Terms& terms, Window& window, uint32_t tile, const Scratch& scratch);
  // When all tiles of a window are summed.
  void (*sum_buckets)(Window& window, const Scratch& scratch);
  // A window at once, in the place of the three before.
  void (*sum_directly)(const Terms& terms, Window& window);
  // sum = 2^bits * sum + more; all zero is the identity.
  void (*append_window)(zka_jacobian& sum, unsigned bits, const zka_jacobian& more);
  // The same point with z = 1, or (0, 1, 0).
  void (*finish)(zka_jacobian& sum);
};

const MsmKernels& msm_kernels(Isa isa, zka_curve curve);

}  // namespace zka
