#include "gpu/polynomial/operations.h"

#include <thread>

#include "core/failure.h"
#include "gpu/emulated.h"
#include "gpu/machine.h"
#include "support/elements.h"

using namespace zka::test;

TEST_CASE("a division by very many roots ends when it is cancelled, and gives its memory back") {
  zka::Memory memory(0);
  zka::gpu::Machine machine{memory, zka::gpu::Device(cpu_config())};
  const auto operations = zka::gpu::polynomial_operations(machine);
  zka::Cancel cancel;
  zka::gpu::DeviceQueue queue(machine.device, cancel);
  constexpr size_t N = 1000;
  const auto coefficients = Random(1).elements(ZKA_FIELD_BN254_FR, N);
  const auto poly = zka::gpu::uploaded(queue, std::span<const zka_fe>(coefficients));
  const uint64_t held = machine.device.bytes();
  // More than are ever done.
  const std::vector<zka_fe> roots(1'000'000, fe(3));
  zka_status status = ZKA_OK;
  std::thread working([&] {
    try {
      operations->divide(queue, ZKA_FIELD_BN254_FR, poly.data(), N, roots, false, nullptr);
    } catch (const zka::Failure& failure) {
      status = failure.status();
    }
  });
  while (machine.device.bytes() == held) std::this_thread::yield();
  cancel.cancel();
  working.join();
  CHECK(status == ZKA_E_CANCELLED);
  CHECK(machine.device.bytes() == held);
}
