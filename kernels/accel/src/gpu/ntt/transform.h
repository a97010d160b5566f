// The transform of 2^log_n elements in one to three passes over memory. [Bailey, "FFTs in external or hierarchical
// memory", 1990, in as many dimensions as passes]
//
// With n = N1 * N2 * N3, the input's index j = (j1 * N2 + j2) * N3 + j3 and the output's k = k1 + N1 * (k2 + N2 * k3):
//   pass 1, for each (j2, j3): over j1 to k1, then times w^(k1 * (j2 * N3 + j3)), w of order n;
//   pass 2, for each (k1, j3): over j2 to k2, then times w^(N1 * k2 * j3);
//   pass 3, for each (k1, k2): over j3 to k3.
// In place, this leaves (k1, k2, k3) where (j1, j2, j3) was: with each k reversed, that is the output in reversed order
// (NR). From reversed to natural order (RN), all of this is read backwards: j1 is in the lowest bits. From natural to
// natural (NN) the last pass puts its rows where they belong, next to those of adjacent k1.
#pragma once
#include <span>

#include "core/operations/ntt.h"
#include "gpu/ntt/plan.h"

namespace zka::gpu {

class Transform {
 public:
  // omega is of order n. What fills the tables is queued.
  Transform(DeviceQueue& queue, const NttPlan& plan, const Fr& omega, const Fr& coset);
  static uint64_t bytes(const NttPlan& plan);

  const NttPlan& plan() const { return plan_; }

  // Each column from `from_length` elements (those up to n are zero) to n elements of `to`, which may be the same memory.
  void run(DeviceQueue& queue, std::span<const zka_fe* const> from, uint32_t from_length, std::span<zka_fe* const> to,
           NttKind kind) const;
  // The scratch of that in natural order, whatever the number of columns; other orders take none.
  uint64_t scratch_bytes() const;

 private:
  // All but where the columns are.
  NttPass pass(unsigned number, NttKind kind) const;

  NttPlan plan_;
  PowerTable roots_[2], steps_[2], coset_[2];  // [1]: of the inverses, for the coset's times 1/n
};

}  // namespace zka::gpu
