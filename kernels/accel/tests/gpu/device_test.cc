#include <doctest/doctest.h>

#include <array>

#include "gpu/emulated.h"
#include "support/allocations.h"

using namespace zka;
using gpu::DeviceArray;
using test::Emulated;

namespace {

zka_status status_of(const auto& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return failure.status();
  }
  return ZKA_OK;
}

}  // namespace

TEST_CASE("device memory is counted in whole lines, bounded, and given back") {
  zka_config config = test::cpu_config();
  config.device_bytes_max = 256;
  Emulated on(config);
  {
    const DeviceArray<uint64_t> lasting(on.device, 9);
    DeviceArray<uint64_t> scratch(on.queue, 16);
    CHECK(on.device.bytes() == 256);
    CHECK(status_of([&] { DeviceArray<uint8_t>(on.queue, 1); }) == ZKA_E_OOM_DEVICE);
    scratch = DeviceArray<uint64_t>();
    CHECK(on.device.bytes() == 128);
  }
  CHECK(on.device.bytes() == 0);
  CHECK(on.device.bytes_peak() == 256);
}

TEST_CASE("a device that has no memory left says so, and counts nothing") {
  Emulated on;
  const test::FailingAllocation failing(0);
  CHECK(status_of([&] { DeviceArray<int>(on.queue, 1000); }) == ZKA_E_OOM_DEVICE);
  CHECK(on.device.bytes() == 0);
}

TEST_CASE("what is copied to the host is there after the next wait, as it was when it was asked for") {
  Emulated on;
  const std::array<int, 2> old = {1, 2}, later = {3, 4};
  std::array<int, 2> host = {0, 0};
  const auto array = gpu::uploaded<const int>(on.queue, old);
  on.queue.download(host.data(), array.data(), sizeof host);
  on.queue.upload(array.data(), later.data(), sizeof later);
  CHECK(host == std::array<int, 2>{0, 0});
  on.queue.sync();
  CHECK(host == old);
}

TEST_CASE("a cancelled queue takes nothing, and a number that no device has is none") {
  Emulated on;
  Cancel cancel;
  gpu::DeviceQueue queue(on.device, cancel);
  const DeviceArray<int> array(on.device, 1);
  cancel.cancel();
  CHECK(status_of([&] { queue.clear(array.data(), 4); }) == ZKA_E_CANCELLED);
  zka_config config = test::cpu_config();
  config.device = 1;
  CHECK(status_of([&] { Emulated other(config); }) == ZKA_E_NO_DEVICE);
}
