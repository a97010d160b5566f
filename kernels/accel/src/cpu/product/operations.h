// Inverses and running products on the CPU.
#pragma once
#include <memory>

#include "core/operations/products.h"
#include "cpu/machine.h"

namespace zka::cpu {

std::unique_ptr<ProductOperations> product_operations(Machine& machine);

}  // namespace zka::cpu
