// An array in a device's memory, not cleared: of plain elements that only kernels and copies touch.
#pragma once
#include <span>
#include <type_traits>
#include <utility>

#include "core/memory.h"
#include "gpu/device/queue.h"

namespace zka::gpu {

template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  // For as long as it lives.
  DeviceArray(Device& device, uint64_t n) : DeviceArray(device, n, nullptr) {}
  // For what is queued from now on, and released after it.
  DeviceArray(DeviceQueue& queue, uint64_t n) : DeviceArray(queue.device(), n, queue.stream()) {}
  DeviceArray(DeviceArray&& other) noexcept
      : device_(other.device_), n_(std::exchange(other.n_, 0)), data_(std::exchange(other.data_, nullptr)),
        stream_(other.stream_) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(n_, other.n_);
    std::swap(data_, other.data_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~DeviceArray() {
    if (data_ != nullptr) device_->deallocate(data_, bytes(n_), stream_);
  }

  T* data() const noexcept { return data_; }
  uint64_t size() const noexcept { return n_; }
  // What one of n elements counts. Throws SIZE.
  static uint64_t bytes(uint64_t n) { return Memory::counted(n, sizeof(T)); }

 private:
  DeviceArray(Device& device, uint64_t n, Stream stream)
      : device_(&device), n_(n), data_(static_cast<T*>(device.allocate(bytes(n), stream))), stream_(stream) {}

  Device* device_ = nullptr;
  uint64_t n_ = 0;
  T* data_ = nullptr;
  Stream stream_ = nullptr;
};

// A copy of the host's on the device.
template <class T>
DeviceArray<std::remove_const_t<T>> uploaded(DeviceQueue& queue, std::span<T> host) {
  DeviceArray<std::remove_const_t<T>> array(queue, host.size());
  queue.upload(array.data(), host.data(), host.size_bytes());
  return array;
}

// One element of the device's, now: waits for the queue.
template <class T>
T read_back(DeviceQueue& queue, const T* from) {
  T value;
  queue.download(&value, from, sizeof value);
  queue.sync();
  return value;
}

}  // namespace zka::gpu
