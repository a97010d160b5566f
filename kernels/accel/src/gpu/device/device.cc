#include "gpu/device/device.h"

namespace zka::gpu {

namespace {

uint64_t limit(uint64_t wanted, uint64_t free) { return wanted == 0 ? free : wanted; }

}  // namespace

Device::Device(const zka_config& config) : number_(config.device), quota_(limit(config.device_bytes_max, open())) {}

Device::~Device() { close(); }

void* Device::allocate(uint64_t bytes, Stream stream) {
  use();
  void* memory = quota_.allocate(bytes, [&] { return driver_allocate(bytes == 0 ? 1 : bytes, stream); }, [&] {
    throw Failure(ZKA_E_OOM_DEVICE,
                  std::to_string(bytes) + " bytes more are beyond the limit of " + std::to_string(quota_.bytes_max()));
  });
  if (memory == nullptr) throw Failure(ZKA_E_OOM_DEVICE, "no device memory for " + std::to_string(bytes) + " bytes");
  return memory;
}

void Device::deallocate(void* memory, uint64_t bytes, Stream stream) noexcept {
  driver_free(memory, stream);
  quota_.release(bytes);
}

void Device::use() {
  if (failed_) {
    const std::lock_guard lock(why_failed_mutex_);
    throw Failure(ZKA_E_POISONED, "the device failed for good: " + why_failed_);
  }
  make_current();
}

void Device::fail_for_good(const std::string& words) {
  remember_failure(words.c_str());
  throw Failure(ZKA_E_POISONED, "the device failed for good: " + words);
}

void Device::remember_failure(const char* words) noexcept {
  const std::lock_guard lock(why_failed_mutex_);
  try {
    if (!failed_) why_failed_ = words;
  } catch (...) {  // of no memory
  }
  failed_ = true;
}

}  // namespace zka::gpu
