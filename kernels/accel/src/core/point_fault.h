// What is wrong with a point that bases are made of, and the error for it.
#pragma once
#include <cstddef>
#include <string>

#include "core/failure.h"

namespace zka {

enum class PointFault { NONE, NON_CANONICAL, NOT_ON_CURVE };

// Throws Failure, of the first point that has a fault; NONE: nothing.
inline void refuse_point(PointFault fault, size_t index, size_t* bad_index) {
  if (fault == PointFault::NONE) return;
  if (bad_index != nullptr) *bad_index = index;
  const std::string which = "point " + std::to_string(index);
  if (fault == PointFault::NOT_ON_CURVE) {
    throw Failure(ZKA_E_NOT_ON_CURVE, which + " is not on the curve (coordinates are in Montgomery form)");
  }
  throw Failure(ZKA_E_NON_CANONICAL, which + " has a coordinate that is not below the modulus");
}

}  // namespace zka
