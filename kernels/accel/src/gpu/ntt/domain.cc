#include "gpu/ntt/domain.h"

#include "gpu/elements.h"
#include "gpu/grid/launch.h"

namespace zka::gpu {
namespace {

struct InvertVanishing {
  Fr* to;
  uint32_t n;
  Fr start, ratio;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i < n) to[i] = (start * ratio.pow(static_cast<uint32_t>(i)) - Fr::one()).inverse();
  }
};

struct ScalePeriodically {
  Fr* values;
  const Fr* factors;
  uint32_t period;  // a power of two
  uint32_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i < n) values[i] = (values[i] * factors[i & (period - 1)]).canonical();
  }
};

}  // namespace

DeviceDomain::DeviceDomain(DeviceQueue& queue, const NttPlan& base, const NttPlan& extended, const Fr& omega,
                           const Fr& coset)
    : base_(queue, base, omega.squared(extended.log_n() - base.log_n()), coset),
      vanishing_(queue.device(), extended.n() / base.n()) {
  if (extended.n() != base.n()) extended_.emplace(queue, extended, omega, coset);
  const auto period = static_cast<uint32_t>(vanishing_.size());
  launch(queue, over(period),
         InvertVanishing{vanishing_.data(), period, coset.squared(base.log_n()),
                         omega.squared(base.log_n())});
}

uint64_t DeviceDomain::bytes(const NttPlan& base, const NttPlan& extended) {
  return Transform::bytes(base) + (extended.n() == base.n() ? 0 : Transform::bytes(extended)) +
         DeviceArray<Fr>::bytes(extended.n() / base.n());
}

void DeviceDomain::divide_by_vanishing(DeviceQueue& queue, zka_fe* values) const {
  const uint32_t n = extended().plan().n();
  launch(queue, over(n),
         ScalePeriodically{of_field<Fr>(values), vanishing_.data(), static_cast<uint32_t>(vanishing_.size()), n});
}

}  // namespace zka::gpu
