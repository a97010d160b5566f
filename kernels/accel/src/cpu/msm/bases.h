// Points that are prepared for many multiplications, and multiples of them.
#pragma once
#include "core/memory.h"
#include "core/operations/msm.h"
#include "cpu/msm/plan.h"

namespace zka::cpu {

class PreparedBases : public Prepared {
 public:
  // Throws Failure NON_CANONICAL, NOT_ON_CURVE, SIZE, OOM_HOST.
  PreparedBases(const Job& job, zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute, bool check,
        size_t* bad_index);
  static uint64_t bytes(size_t n, uint32_t precompute);

  zka_curve curve() const noexcept { return curve_; }
  // For points[first..first + n].
  Terms terms(size_t first, size_t n) const noexcept;

 private:
  const zka_curve curve_;
  const size_t n_;
  const Split split_;
  Array<zka_affine> points_;  // part p of point i at [p * n + i]
  bool has_identity_ = false;
};

}  // namespace zka::cpu
