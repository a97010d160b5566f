// Polynomials on the CPU.
#pragma once
#include <memory>

#include "core/operations/polynomial.h"
#include "cpu/machine.h"

namespace zka::cpu {

std::unique_ptr<PolynomialOperations> polynomial_operations(Machine& machine);

}  // namespace zka::cpu
