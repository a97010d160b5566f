// A stream of a device: what is copied and launched on it happens in that order.
#pragma once
#include "core/operations/queue.h"
#include "gpu/device/device.h"

namespace zka::gpu {

class DeviceQueue : public Queue {
 public:
  DeviceQueue(Device& device, const Cancel& cancel) : Queue(cancel), device_(device), stream_(device.create_stream()) {}
  // Waits.
  ~DeviceQueue() override { device_.destroy_stream(stream_); }

  Device& device() const noexcept { return device_; }
  Stream stream() const noexcept { return stream_; }

  // As Device has them, and throwing CANCELLED too.
  void upload(void* to, const void* from_host, uint64_t bytes) { checked().upload(stream_, to, from_host, bytes); }
  void download(void* to_host, const void* from, uint64_t bytes) { checked().download(stream_, to_host, from, bytes); }
  void copy(void* to, const void* from, uint64_t bytes) { checked().copy(stream_, to, from, bytes); }
  void clear(void* at, uint64_t bytes) { checked().clear(stream_, at, bytes); }
  void sync() override { device_.wait(stream_); }

 private:
  Device& checked() const {
    cancel().check();
    return device_;
  }

  Device& device_;
  Stream stream_;
};

// The queue of an operation of this backend.
inline DeviceQueue& on_device(Queue& queue) { return static_cast<DeviceQueue&>(queue); }

}  // namespace zka::gpu
