// Programs on a device.
#pragma once
#include <memory>

#include "core/operations/quotient.h"
#include "gpu/machine.h"
#include "gpu/quotient/plan.h"

namespace zka::gpu {

// Other limits are for tests.
std::unique_ptr<QuotientOperations> quotient_operations(Machine& machine, const QuotientLimits& limits = {});

}  // namespace zka::gpu
