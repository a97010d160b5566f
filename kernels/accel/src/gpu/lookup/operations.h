// Lookups, on a device.
#pragma once
#include <memory>

#include "core/operations/lookup.h"

namespace zka::gpu {

std::unique_ptr<LookupOperations> lookup_operations();

}  // namespace zka::gpu
