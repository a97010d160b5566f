#include "gpu/lookup/operations.h"

#include "gpu/device/queue.h"
#include "gpu/lookup/permute.h"

namespace zka::gpu {
namespace {

class GpuLookups : public LookupOperations {
 public:
  void permute_pair(Queue& queue, zka_field field, const zka_fe* a, const zka_fe* s, size_t usable,
                    zka_permute_order order, zka_fe* a_out, zka_fe* s_out, uint64_t* bad_row) override {
    gpu::permute_pair(on_device(queue), field, a, s, usable, order, a_out, s_out, bad_row);
  }
  Bytes permute_pair_bytes(size_t usable) override { return {.device = gpu::permute_pair_bytes(usable)}; }
};

}  // namespace

std::unique_ptr<LookupOperations> lookup_operations() { return std::make_unique<GpuLookups>(); }

}  // namespace zka::gpu
