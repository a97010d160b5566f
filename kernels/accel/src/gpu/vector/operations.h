// Element-wise operations on a device.
#pragma once
#include <memory>

#include "core/operations/vectors.h"

namespace zka::gpu {

std::unique_ptr<VectorOperations> vector_operations();

}  // namespace zka::gpu
