// A GPU, by CUDA's run-time library.
#include "gpu/device/device.h"

#include <cuda_runtime_api.h>

namespace zka::gpu {
namespace {

// The error is forgotten with it: the next launch of this thread would take it for its own.
[[noreturn]] void refuse(zka_status status, cudaError_t error) {
  cudaGetLastError();
  throw Failure(status, cudaGetErrorString(error));
}

// For a device that cannot throw it now.
void remember(Device& device, cudaError_t error) noexcept {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  device.remember_failure(cudaGetErrorString(error));
}

// Does nothing: the driver is queried whether it has code of it for the GPU.
__global__ void nothing() {}

// Of what is free: for kernels when they are loaded, and for gaps between blocks.
uint64_t usable(uint64_t free) { return free - free / 32; }

// What the pool keeps and nobody uses goes back to the driver.
void trim_pool(int32_t number) {
  cudaMemPool_t pool{};
  cudaDeviceSynchronize();
  if (cudaDeviceGetDefaultMemPool(&pool, number) == cudaSuccess) cudaMemPoolTrimTo(pool, 0);
  cudaGetLastError();
}

}  // namespace

uint64_t Device::open() {
  int devices = 0;
  const cudaError_t counted = cudaGetDeviceCount(&devices);
  if (counted == cudaErrorNoDevice) refuse(ZKA_E_NO_DEVICE, counted);
  if (counted != cudaSuccess) refuse(ZKA_E_DRIVER, counted);
  if (number_ < 0 || number_ >= devices) {
    throw Failure(ZKA_E_NO_DEVICE, "there is no device " + std::to_string(number_) + " among " + std::to_string(devices));
  }
  cudaDeviceProp properties{};
  cudaFuncAttributes code{};
  size_t free = 0, total = 0;
  cudaMemPool_t pool{};
  uint64_t keep = UINT64_MAX, reserved = 0, used = 0;
  for (const cudaError_t error :
       {cudaSetDevice(number_), cudaGetDeviceProperties(&properties, number_), cudaMemGetInfo(&free, &total),
        cudaDeviceGetDefaultMemPool(&pool, number_),
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved),
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used)}) {
    if (error != cudaSuccess) refuse(ZKA_E_DRIVER, error);
  }
  backend_ = "cuda";
  isa_ = "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
  name_ = properties.name;
  // An older GPU than the code is for, or a driver that cannot compile it, would show at the first launch only.
  const cudaError_t has_code = cudaFuncGetAttributes(&code, nothing);
  if (has_code != cudaSuccess) {
    cudaGetLastError();
    throw Failure(ZKA_E_NO_DEVICE,
                  "no code runs on " + name_ + ", an " + isa_ + ", here: " + cudaGetErrorString(has_code));
  }
  return usable(free + (reserved - used));
}

// What the pool retained is for other processes from now on.
void Device::close() noexcept {
  if (cudaSetDevice(number_) == cudaSuccess) trim_pool(number_);
  cudaGetLastError();
}

void Device::make_current() { check(cudaSetDevice(number_)); }

void Device::check(int cuda_error) {
  if (cuda_error == cudaSuccess) return;
  cudaGetLastError();
  if (cuda_error == cudaErrorMemoryAllocation) throw Failure(ZKA_E_OOM_DEVICE, "no device memory");
  fail_for_good(cudaGetErrorString(static_cast<cudaError_t>(cuda_error)));
}

// Of CUDA's pool, which retains what was released for the next: in pieces, maybe, none of which is large enough.
void* Device::driver_allocate(uint64_t bytes, Stream stream) {
  void* memory = nullptr;
  cudaError_t error = cudaMallocAsync(&memory, bytes, stream);
  if (error == cudaErrorMemoryAllocation) {
    trim_pool(number_);
    error = cudaMallocAsync(&memory, bytes, stream);
  }
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check(error);
  if (stream == nullptr) check(cudaStreamSynchronize(nullptr));
  return memory;
}

// A device that has failed frees all when its process ends: nothing is requested of it here.
void Device::driver_free(void* memory, Stream stream) noexcept {
  cudaError_t error = cudaSetDevice(number_);
  if (error == cudaSuccess && stream == nullptr) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaFreeAsync(memory, stream);
  remember(*this, error);
}

void* Device::allocate_host(uint64_t bytes) {
  use();
  void* memory = nullptr;
  const cudaError_t error = cudaMallocHost(&memory, bytes == 0 ? 1 : bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw Failure(ZKA_E_OOM_HOST, "no memory for " + std::to_string(bytes) + " bytes that a device reads");
  }
  check(error);
  return memory;
}
// What the device still reads or writes of it is done first.
void Device::deallocate_host(void* memory) noexcept {
  cudaError_t error = cudaSetDevice(number_);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaFreeHost(memory);
  remember(*this, error);
}

Stream Device::create_stream() {
  use();
  Stream stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}
void Device::destroy_stream(Stream stream) noexcept {
  for (const cudaError_t error : {cudaSetDevice(number_), cudaStreamSynchronize(stream), cudaStreamDestroy(stream)}) {
    remember(*this, error);
  }
}
// Of a device that has failed too: what it still writes is the caller's.
void Device::wait(Stream stream) {
  const cudaError_t made_current = cudaSetDevice(number_), done = cudaStreamSynchronize(stream);
  cudaGetLastError();
  use();
  check(made_current);
  check(done);
}

// The driver first copies what the host may page out to its staging memory; it does not say so where the GPU reads that.
void Device::upload(Stream stream, void* to, const void* from_host, uint64_t bytes) {
  use();
  if (bytes == 0) return;
  int reads_all = 0;
  cudaPointerAttributes from{};
  check(cudaMemcpyAsync(to, from_host, bytes, cudaMemcpyHostToDevice, stream));
  check(cudaDeviceGetAttribute(&reads_all, cudaDevAttrPageableMemoryAccess, number_));
  if (reads_all == 0) return;
  check(cudaPointerGetAttributes(&from, from_host));
  if (from.type == cudaMemoryTypeUnregistered) check(cudaStreamSynchronize(stream));
}
void Device::download(Stream stream, void* to_host, const void* from, uint64_t bytes) {
  use();
  if (bytes != 0) check(cudaMemcpyAsync(to_host, from, bytes, cudaMemcpyDeviceToHost, stream));
}
void Device::copy(Stream stream, void* to, const void* from, uint64_t bytes) {
  use();
  if (bytes != 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
}
void Device::clear(Stream stream, void* at, uint64_t bytes) {
  use();
  if (bytes != 0) check(cudaMemsetAsync(at, 0, bytes, stream));
}

}  // namespace zka::gpu
