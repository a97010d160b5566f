#include "core/stream.h"

#include <utility>

namespace zka {

void Stream::sync() {
  const std::lock_guard lock(one_call_);
  try {
    queue_->sync();
  } catch (const Failure& failure) {
    if (!first_failure_) first_failure_ = failure;
  }
  cancel_.clear();
  if (const auto failure = std::exchange(first_failure_, std::nullopt)) throw *failure;
}

}  // namespace zka
