// Polynomials on a device.
#pragma once
#include <memory>

#include "core/operations/polynomial.h"
#include "gpu/machine.h"

namespace zka::gpu {

std::unique_ptr<PolynomialOperations> polynomial_operations(Machine& machine);

}  // namespace zka::gpu
