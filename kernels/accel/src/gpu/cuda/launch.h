// A grid on a device.
#pragma once
#include "gpu/cuda/thread.h"
#include "gpu/device/queue.h"

namespace zka::gpu {
namespace cuda {

template <class Kernel>
__global__ void __launch_bounds__(threads_max<Kernel>()) grid_kernel(const __grid_constant__ Kernel kernel) {
  Thread thread;
  kernel(thread);
}

// More shared memory than this a kernel has to request.
constexpr uint32_t SHARED_BYTES_PLAIN = 48 << 10;

}  // namespace cuda

template <class Kernel>
void run_on(DeviceQueue& queue, const Shape& shape, const Kernel& kernel) {
  if (shape.shared_bytes > cuda::SHARED_BYTES_PLAIN) {
    queue.device().check(cudaFuncSetAttribute(cuda::grid_kernel<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              static_cast<int>(shape.shared_bytes)));
  }
  const dim3 grid(static_cast<unsigned>(shape.blocks), static_cast<unsigned>(shape.rows));
  cuda::grid_kernel<<<grid, shape.threads, shape.shared_bytes, queue.stream()>>>(kernel);
  queue.device().check(cudaGetLastError());
}

}  // namespace zka::gpu
