#include "cpu/backend.h"

#include "cpu/buffer/operations.h"
#include "cpu/features.h"
#include "cpu/lookup/operations.h"
#include "cpu/machine.h"
#include "cpu/msm/operations.h"
#include "cpu/ntt/operations.h"
#include "cpu/polynomial/operations.h"
#include "cpu/product/operations.h"
#include "cpu/quotient/operations.h"
#include "cpu/vector/operations.h"

namespace zka::cpu {
namespace {

class CpuBackend : public Backend {
 public:
  CpuBackend(const zka_config& config, Memory& memory)
      : machine_{memory, Pool(config.threads == 0 ? usable_threads() : config.threads), choose_isa(config.isa)} {
    buffers = buffer_operations(machine_);
    vectors = vector_operations(machine_);
    products = product_operations(machine_);
    msm = msm_operations(machine_);
    ntt = ntt_operations(machine_);
    quotient = quotient_operations(machine_);
    polynomial = polynomial_operations(machine_);
    lookup = lookup_operations(machine_);
  }

  BackendInfo info() const override { return {"cpu", isa_name(machine_.isa), cpu_name(), machine_.pool.threads()}; }
  std::unique_ptr<Queue> queue(const Cancel& cancel) override { return std::make_unique<Queue>(cancel); }

 private:
  Machine machine_;
};

}  // namespace

std::unique_ptr<Backend> open_backend(const zka_config& config, Memory& memory) {
  return std::make_unique<CpuBackend>(config, memory);
}

}  // namespace zka::cpu
