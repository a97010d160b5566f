#include "gpu/device/device.h"

namespace zka::gpu {

Device::Device(const zka_config& config) : number_(config.device), bytes_max_(config.device_bytes_max) {
  const uint64_t free = open();
  if (bytes_max_ == 0) bytes_max_ = free;
}

void* Device::take(uint64_t bytes, Stream stream) {
  use();
  const uint64_t now = bytes_.fetch_add(bytes) + bytes;
  const bool beyond = now > bytes_max_;
  void* memory = nullptr;
  try {
    if (!beyond) memory = allocate(bytes == 0 ? 1 : bytes, stream);
  } catch (...) {
    bytes_ -= bytes;
    throw;
  }
  if (memory == nullptr) {
    bytes_ -= bytes;
    const std::string wanted = std::to_string(bytes) + " bytes";
    throw Failure(ZKA_E_OOM_DEVICE, beyond ? wanted + " more are beyond the limit of " + std::to_string(bytes_max_)
                                           : "no device memory for " + wanted);
  }
  uint64_t peak = peak_;
  while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
  }
  return memory;
}

void Device::give_back(void* memory, uint64_t bytes, Stream stream) noexcept {
  release(memory, stream);
  bytes_ -= bytes;
}

void Device::use() {
  if (failed_) {
    const std::lock_guard lock(why_failed_mutex_);
    throw Failure(ZKA_E_POISONED, "the device failed for good: " + why_failed_);
  }
  make_current();
}

void Device::fail_for_good(const std::string& words) {
  {
    const std::lock_guard lock(why_failed_mutex_);
    if (!failed_) why_failed_ = words;
    failed_ = true;
  }
  throw Failure(ZKA_E_POISONED, "the device failed for good: " + words);
}

}  // namespace zka::gpu
