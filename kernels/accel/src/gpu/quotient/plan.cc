#include "gpu/quotient/plan.h"

#include "core/memory.h"

namespace zka::gpu {

QuotientPlan plan_quotient(const QuotientLimits& limits, uint32_t nregisters, uint64_t n, uint64_t bytes_max) {
  QuotientPlan plan{};
  plan.in_shared = std::min(nregisters, limits.in_shared);
  plan.spilled = nregisters - plan.in_shared;
  plan.rows = std::min(n, limits.rows);
  plan.blocks = plan.spilled == 0 ? UINT64_MAX : limits.spilling_blocks;
  plan.blocks = plan.blocks_for(plan.rows);
  while (plan.blocks > 1 && Memory::counted(plan.spilled_elements(), sizeof(zka_fe)) > bytes_max) {
    plan.blocks = (plan.blocks + 1) / 2;
  }
  return plan;
}

}  // namespace zka::gpu
