// Inverses and products along a vector, on a device.
#pragma once
#include <memory>

#include "core/operations/products.h"

namespace zka::gpu {

std::unique_ptr<ProductOperations> product_operations();

}  // namespace zka::gpu
