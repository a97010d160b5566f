// A grid on the host: its blocks one after the other in an order that changes, each as block.h says.
#pragma once
#include "gpu/device/queue.h"
#include "gpu/emulated/stream.h"
#include "gpu/emulated/thread.h"

namespace zka::gpu {
namespace emulated {

// Throws Failure POISONED: the device fails for good where the kernel breaks a rule, as it does on CUDA.
void run_grid(Device& device, const Shape& shape, const Body& body);

}  // namespace emulated

// Of a copy of the kernel, when its turn comes.
template <class Kernel>
void run_on(DeviceQueue& queue, const Shape& shape, const Kernel& kernel) {
  queue.stream()->enqueue([&device = queue.device(), shape, kernel] {
    emulated::run_grid(device, shape, {&kernel, [](const void* of, emulated::Thread& thread) {
                                         (*static_cast<const Kernel*>(of))(thread);
                                       }});
  });
}

}  // namespace zka::gpu
