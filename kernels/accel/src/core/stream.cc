#include "core/stream.h"

#include <utility>

namespace zka {

void Stream::record(const std::exception_ptr& failure) noexcept {
  const std::lock_guard lock(one_call_);
  if (!first_failure_) first_failure_ = failure;
}

void Stream::sync() {
  const std::lock_guard lock(one_call_);
  try {
    queue_->sync();
  } catch (...) {
    if (!first_failure_) first_failure_ = std::current_exception();
  }
  cancel_->clear();
  if (const auto failure = std::exchange(first_failure_, nullptr)) std::rethrow_exception(failure);
}

}  // namespace zka
