// A GPU, by CUDA's run-time library.
#include "gpu/device/device.h"

#include <cuda_runtime_api.h>

namespace zka::gpu {
namespace {

[[noreturn]] void refuse(zka_status status, cudaError_t error) { throw Failure(status, cudaGetErrorString(error)); }

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
  size_t free = 0, total = 0;
  cudaMemPool_t pool{};
  uint64_t keep = UINT64_MAX;
  for (const cudaError_t error :
       {cudaSetDevice(number_), cudaGetDeviceProperties(&properties, number_), cudaMemGetInfo(&free, &total),
        cudaDeviceGetDefaultMemPool(&pool, number_),
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep)}) {
    if (error != cudaSuccess) refuse(ZKA_E_DRIVER, error);
  }
  backend_ = "cuda";
  isa_ = "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
  name_ = properties.name;
  return free;
}

// What the pool kept is for other processes from now on.
void Device::close() noexcept {
  cudaMemPool_t pool{};
  if (cudaSetDevice(number_) != cudaSuccess || cudaDeviceGetDefaultMemPool(&pool, number_) != cudaSuccess) return;
  cudaDeviceSynchronize();
  cudaMemPoolTrimTo(pool, 0);
  cudaGetLastError();
}

void Device::make_current() { check(cudaSetDevice(number_)); }

void Device::check(int cuda_error) {
  if (cuda_error == cudaSuccess) return;
  cudaGetLastError();
  if (cuda_error == cudaErrorMemoryAllocation) throw Failure(ZKA_E_OOM_DEVICE, "no device memory");
  fail_for_good(cudaGetErrorString(static_cast<cudaError_t>(cuda_error)));
}

// Of CUDA's pool, which keeps what was given back for the next.
void* Device::allocate(uint64_t bytes, Stream stream) {
  void* memory = nullptr;
  const cudaError_t error = cudaMallocAsync(&memory, bytes, stream);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check(error);
  if (stream == nullptr) check(cudaStreamSynchronize(nullptr));
  return memory;
}

// A device that has failed frees all when its process ends: nothing is asked of it here.
void Device::release(void* memory, Stream stream) noexcept {
  if (cudaSetDevice(number_) != cudaSuccess) return;
  if (stream == nullptr) cudaDeviceSynchronize();
  cudaFreeAsync(memory, stream);
  cudaGetLastError();
}

void* Device::take_host(uint64_t bytes) {
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
void Device::give_back_host(void* memory) noexcept {
  if (cudaSetDevice(number_) != cudaSuccess) return;
  cudaDeviceSynchronize();
  cudaFreeHost(memory);
  cudaGetLastError();
}

Stream Device::create_stream() {
  use();
  Stream stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}
void Device::destroy_stream(Stream stream) noexcept {
  cudaSetDevice(number_);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}
void Device::wait(Stream stream) {
  use();
  check(cudaStreamSynchronize(stream));
}

void Device::upload(Stream stream, void* to, const void* from_host, uint64_t bytes) {
  use();
  check(cudaMemcpyAsync(to, from_host, bytes, cudaMemcpyHostToDevice, stream));
}
void Device::download(Stream stream, void* to_host, const void* from, uint64_t bytes) {
  use();
  check(cudaMemcpyAsync(to_host, from, bytes, cudaMemcpyDeviceToHost, stream));
}
void Device::copy(Stream stream, void* to, const void* from, uint64_t bytes) {
  use();
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
}
void Device::clear(Stream stream, void* at, uint64_t bytes) {
  use();
  check(cudaMemsetAsync(at, 0, bytes, stream));
}

}  // namespace zka::gpu
