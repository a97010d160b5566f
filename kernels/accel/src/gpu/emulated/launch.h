// A grid on the host: its blocks one after the other in an order that changes, each as block.h says.
#pragma once
#include "gpu/emulated/thread.h"

namespace zka::gpu {

class DeviceQueue;

namespace emulated {

// The queue's device fails for good where the kernel breaks a rule, as it does on CUDA. Throws what launch throws.
void run_grid(DeviceQueue& queue, const Shape& shape, const Body& body);

}  // namespace emulated

template <class Kernel>
void run_on(DeviceQueue& queue, const Shape& shape, const Kernel& kernel) {
  emulated::run_grid(queue, shape, {&kernel, [](const void* of, emulated::Thread& thread) {
                                      (*static_cast<const Kernel*>(of))(thread);
                                    }});
}

}  // namespace zka::gpu
