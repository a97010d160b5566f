#include "cpu/lookup/operations.h"

#include "cpu/lookup/permute.h"

namespace zka::cpu {
namespace {

class CpuLookups : public LookupOperations {
 public:
  explicit CpuLookups(Machine& machine) : machine_(machine) {}

  void permute_pair(Queue& queue, zka_field field, const zka_fe* a, const zka_fe* s, size_t usable,
                    zka_permute_order order, zka_fe* a_out, zka_fe* s_out, uint64_t* bad_row) override {
    cpu::permute_pair(machine_.job(queue), field, a, s, usable, order, a_out, s_out, bad_row);
  }
  Bytes permute_pair_bytes(size_t usable) override { return {cpu::permute_pair_bytes(usable), 0}; }

 private:
  Machine& machine_;
};

}  // namespace

std::unique_ptr<LookupOperations> lookup_operations(Machine& machine) {
  return std::make_unique<CpuLookups>(machine);
}

}  // namespace zka::cpu
