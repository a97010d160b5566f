// What a device keeps of a domain: its transforms, and the inverses of the vanishing polynomial on the coset.
#pragma once
#include <optional>

#include "core/operations/queue.h"
#include "gpu/ntt/transform.h"

namespace zka::gpu {

class DeviceDomain : public Prepared {
 public:
  // omega is of the extended order; the coset is not in what it generates. What fills the tables is queued.
  DeviceDomain(DeviceQueue& queue, const NttPlan& base, const NttPlan& extended, const Fr& omega, const Fr& coset);
  static uint64_t bytes(const NttPlan& base, const NttPlan& extended);

  // Of 2^log_n elements, log_n being k or extended_k.
  const Transform& transform(unsigned log_n) const { return log_n == base_.plan().log_n() ? base_ : extended(); }
  const Transform& extended() const { return extended_ ? *extended_ : base_; }
  // In place, over the extended domain.
  void divide_by_vanishing(DeviceQueue& queue, zka_fe* values) const;

 private:
  Transform base_;
  std::optional<Transform> extended_;  // where it is another
  DeviceArray<Fr> vanishing_;  // 1 / ((g * w^i)^n - 1), which repeats
};

}  // namespace zka::gpu
