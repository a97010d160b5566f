#include "gpu/backend.h"

#include "gpu/buffer/operations.h"
#include "gpu/device/queue.h"
#include "gpu/lookup/operations.h"
#include "gpu/machine.h"
#include "gpu/msm/operations.h"
#include "gpu/ntt/operations.h"
#include "gpu/polynomial/operations.h"
#include "gpu/product/operations.h"
#include "gpu/quotient/operations.h"
#include "gpu/vector/operations.h"

namespace zka::gpu {
namespace {

class GpuBackend : public Backend {
 public:
  GpuBackend(const zka_config& config, Memory& host_memory) : machine_{host_memory, Device(config)} {
    buffers = buffer_operations(machine_);
    vectors = vector_operations();
    products = product_operations();
    lookup = lookup_operations();
    msm = msm_operations(machine_.device);
    ntt = ntt_operations(machine_.device);
    polynomial = polynomial_operations(machine_);
    quotient = quotient_operations(machine_);
  }

  BackendInfo info() const override {
    return {machine_.device.backend(), machine_.device.isa(), machine_.device.name(), 1};
  }
  uint64_t device_bytes() const noexcept override { return machine_.device.bytes(); }
  uint64_t device_bytes_peak() const noexcept override { return machine_.device.bytes_peak(); }
  uint64_t device_bytes_max() const noexcept override { return machine_.device.bytes_max(); }
  std::unique_ptr<zka::Queue> queue(const Cancel& cancel) override {
    return std::make_unique<DeviceQueue>(machine_.device, cancel);
  }

 private:
  Machine machine_;
};

}  // namespace

std::unique_ptr<Backend> open_backend(const zka_config& config, Memory& host_memory) {
  return std::make_unique<GpuBackend>(config, host_memory);
}

}  // namespace zka::gpu
