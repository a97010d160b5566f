// How the inside says that a call fails: thrown, and caught where the C interface ends.
#pragma once
#include <stdexcept>
#include <string>

#include "zkaccel/status.h"

namespace zka {

class __attribute__((visibility("default"))) Failure : public std::runtime_error {
 public:
  Failure(zka_status status, const std::string& words) : std::runtime_error(words), status_(status) {}
  zka_status status() const noexcept { return status_; }

 private:
  zka_status status_;
};

}  // namespace zka
