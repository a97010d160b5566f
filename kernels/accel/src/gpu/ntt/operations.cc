#include "gpu/ntt/operations.h"

#include "gpu/ntt/domain.h"

namespace zka::gpu {
namespace {

const DeviceDomain& device_domain(const Prepared& domain) { return static_cast<const DeviceDomain&>(domain); }

class DeviceNtt : public NttOperations {
 public:
  DeviceNtt(Device& device, unsigned log_rows_max) : device_(device), log_rows_max_(log_rows_max) {}

  std::unique_ptr<Prepared> domain(uint32_t k, uint32_t extended_k, zka_fe omega, zka_fe coset) override {
    const Cancel never;
    DeviceQueue queue(device_, never);
    auto made = std::make_unique<DeviceDomain>(queue, plan(k), plan(extended_k), Fr::of(omega.l), Fr::of(coset.l));
    queue.sync();
    return made;
  }
  Bytes domain_bytes(uint32_t k, uint32_t extended_k) override {
    return {.device = DeviceDomain::bytes(plan(k), plan(extended_k))};
  }

  void ntt(Queue& queue, const Prepared& domain, std::span<zka_fe* const> columns, uint32_t log_n,
           zka_ntt_direction direction, zka_order order, bool on_coset) override {
    const Transform& transform = device_domain(domain).transform(log_n);
    transform.run(on_device(queue), columns, transform.plan().n(), columns, {direction, order, on_coset});
  }
  Bytes ntt_bytes(const Prepared& domain, uint32_t log_n) override {
    return {.device = device_domain(domain).transform(log_n).scratch_bytes()};
  }

  void coeff_to_extended(Queue& queue, const Prepared& domain, const zka_fe* coefficients, size_t n,
                         zka_fe* extended) override {
    device_domain(domain).extended().run(on_device(queue), {&coefficients, 1}, static_cast<uint32_t>(n), {&extended, 1},
                                         {ZKA_NTT_FORWARD, ZKA_ORDER_NN, true});
  }

  void divide_by_vanishing(Queue& queue, const Prepared& domain, zka_fe* extended) override {
    device_domain(domain).divide_by_vanishing(on_device(queue), extended);
  }

 private:
  NttPlan plan(unsigned log_n) const { return {log_n, log_rows_max_}; }

  Device& device_;
  unsigned log_rows_max_;
};

}  // namespace

std::unique_ptr<NttOperations> ntt_operations(Device& device, unsigned log_rows_max) {
  return std::make_unique<DeviceNtt>(device, log_rows_max);
}

}  // namespace zka::gpu
