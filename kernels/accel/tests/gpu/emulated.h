// A dedicated device for a test, and a queue on it.
#pragma once
#include <bit>
#include <string>
#include <vector>

#include "ff/field.h"
#include "gpu/device/array.h"
#include "gpu/grid/launch.h"
#include "support/contexts.h"

namespace zka::test {

// In Montgomery form, which a device computes in.
inline zka_fe inside(const zka_fe& canonical) {
  return std::bit_cast<zka_fe>(ZKA_ISA::Fr::from_canonical(canonical.l));
}
inline std::vector<zka_fe> inside(std::vector<zka_fe> all) {
  for (zka_fe& each : all) each = inside(each);
  return all;
}

// Of a device with so much memory; 0: enough.
inline zka_config with_memory(uint64_t bytes) {
  zka_config config = cpu_config();
  config.device_bytes_max = bytes;
  return config;
}

struct Emulated {
  explicit Emulated(const zka_config& config = cpu_config()) : device(config) {}

  gpu::Device device;
  const Cancel never;
  gpu::DeviceQueue queue{device, never};

  template <class T>
  std::vector<T> read(const gpu::DeviceArray<T>& array) {
    std::vector<T> host(array.size());
    queue.download(host.data(), array.data(), host.size() * sizeof(T));
    queue.sync();
    return host;
  }
  // What launching, or waiting for it, fails with.
  template <class Kernel>
  std::string failure_of(const gpu::Shape& shape, const Kernel& kernel) {
    try {
      gpu::launch(queue, shape, kernel);
      queue.sync();
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "";
  }
};

}  // namespace zka::test
