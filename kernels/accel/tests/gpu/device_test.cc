#include <doctest/doctest.h>

#include <array>
#include <functional>

#include "gpu/buffer/operations.h"
#include "gpu/emulated.h"
#include "support/allocations.h"
#include "support/cancelled_at.h"

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

struct Add {
  int* to;
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    thread.atomic_add(to, 1);
  }
};

}  // namespace

TEST_CASE("device memory is counted in full cache lines, bounded, and released") {
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

TEST_CASE("a device without remaining memory reports it, and counts nothing") {
  Emulated on;
  const test::FailingAllocation failing(0);
  CHECK(status_of([&] { DeviceArray<int>(on.queue, 1000); }) == ZKA_E_OOM_DEVICE);
  CHECK(on.device.bytes() == 0);
  CHECK(on.device.bytes_peak() == 0);
}

TEST_CASE("counts host memory for a device when it is allocated, and not where the allocation fails") {
  Memory memory(128);
  gpu::Machine machine{memory, gpu::Device(test::cpu_config())};
  const auto buffers = gpu::buffer_operations(machine);
  CHECK(status_of([&] { buffers->allocate_host(129); }) == ZKA_E_OOM_HOST);
  int failures = 0;
  for (bool came = true; came; ++failures) {
    const test::FailingAllocation failing(failures);
    try {
      const auto there = buffers->allocate_host(100);
      CHECK(there->data() != nullptr);
    } catch (const std::exception&) {
      CHECK(memory.bytes_peak() == 0);
    }
    CHECK(memory.bytes() == 0);
    came = failing.came();
  }
  CHECK(failures > 2);
  CHECK(memory.bytes_peak() == 128);
}

TEST_CASE("what is queued on a stream is done in its order when somebody waits, and not before") {
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

TEST_CASE("the host's memory is read at the call, and what the device reads without a copy when its turn comes") {
  Emulated on;
  std::array<int, 1> ordinary = {1};
  auto* const pinned = static_cast<int*>(on.device.allocate_host(sizeof(int)));
  *pinned = 1;
  const DeviceArray<int> copied(on.queue, 1), read(on.queue, 1);
  on.queue.upload(copied.data(), ordinary.data(), sizeof(int));
  on.queue.upload(read.data(), pinned, sizeof(int));
  ordinary[0] = *pinned = 2;
  CHECK(on.read(copied)[0] == 1);
  CHECK(on.read(read)[0] == 2);
  on.device.deallocate_host(pinned);
}

TEST_CASE("memory that is released is there for what was queued before, on its own stream or on another") {
  Emulated on;
  const std::array<int, 1> one = {1};
  std::array<int, 3> host = {0, 0, 0};
  {
    const DeviceArray<int> lasting(on.device, 1);
    const auto scratch = gpu::uploaded<const int>(on.queue, one);
    on.queue.copy(lasting.data(), scratch.data(), sizeof(int));
    on.queue.download(&host[0], scratch.data(), sizeof(int));
    on.queue.download(&host[1], lasting.data(), sizeof(int));
  }
  // That of no stream waited for all of them.
  CHECK(host == std::array<int, 3>{1, 1, 0});
  {
    const auto scratch = gpu::uploaded<const int>(on.queue, one);
    on.queue.download(&host[2], scratch.data(), sizeof(int));
  }
  CHECK(host[2] == 0);
  on.queue.sync();
  CHECK(host[2] == 1);
}

TEST_CASE("a queue checks whether it is cancelled before each operation, and then does not begin it") {
  Emulated on;
  const DeviceArray<int> array(on.device, 1);
  on.queue.clear(array.data(), sizeof(int));
  on.queue.sync();
  int host = 7;
  for (const auto& operation : {std::function<void(gpu::DeviceQueue&)>([&](auto& to) { to.upload(array.data(), &host, sizeof host); }),
                          {[&](auto& to) { to.download(&host, array.data(), sizeof host); }},
                          {[&](auto& to) { to.copy(array.data(), array.data(), 0); }},
                          {[&](auto& to) { to.clear(&host, sizeof host); }},
                          {[&](auto& to) { gpu::launch(to, {.threads = 32}, Add{array.data()}); }}}) {
    std::atomic<size_t> looks{0};
    const test::CancelledAt at_once(1, looks);
    gpu::DeviceQueue queue(on.device, at_once);
    CHECK(status_of([&] { operation(queue); }) == ZKA_E_CANCELLED);
    queue.sync();
    CHECK(looks == 1);
    CHECK(host == 7);
    CHECK(on.read(array)[0] == 0);
  }
}

TEST_CASE("a device that failed where nothing could be thrown accepts no further work, and says why it failed first") {
  Emulated on;
  const DeviceArray<int> array(on.device, 1);
  on.device.remember_failure("an illegal address");
  on.device.remember_failure("another");
  CHECK(on.failure_of({.threads = 32}, Add{array.data()}) == "the device failed for good: an illegal address");
  CHECK(status_of([&] { on.device.create_stream(); }) == ZKA_E_POISONED);
}

TEST_CASE("rejects an unknown device number") {
  zka_config config = test::cpu_config();
  config.device = 1;
  CHECK(status_of([&] { Emulated other(config); }) == ZKA_E_NO_DEVICE);
}
