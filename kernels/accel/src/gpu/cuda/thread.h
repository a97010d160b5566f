// A thread of a grid of CUDA: what gpu/grid/launch.h says, by the device's own means.
#pragma once
#include <cstdint>
#include <type_traits>

#include "gpu/grid/shape.h"

namespace zka::gpu::cuda {

class Thread {
 public:
  __device__ uint32_t thread() const { return threadIdx.x; }
  __device__ uint32_t threads() const { return blockDim.x; }
  __device__ uint32_t block() const { return blockIdx.x; }
  __device__ uint32_t blocks() const { return gridDim.x; }
  __device__ uint32_t row() const { return blockIdx.y; }
  __device__ uint64_t index() const { return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
  __device__ uint64_t count() const { return uint64_t{gridDim.x} * blockDim.x; }
  __device__ uint32_t lane() const { return threadIdx.x % WARP; }
  __device__ uint32_t warp() const { return threadIdx.x / WARP; }

  template <class T>
  __device__ T* shared(uint32_t first_byte = 0) const {
    extern __shared__ __align__(32) unsigned char zka_shared[];
    return reinterpret_cast<T*>(zka_shared + first_byte);
  }

  __device__ void require(bool holds, const char*) {
    if (!holds) __trap();
  }
  __device__ void sync_block() { __syncthreads(); }
  __device__ void sync_warp() { __syncwarp(); }

  template <class T>
  __device__ T shuffle(const T& value, uint32_t lane) {
    return by_words(value, [=](uint32_t word) { return __shfl_sync(ALL, word, lane); });
  }
  template <class T>
  __device__ T shuffle_xor(const T& value, uint32_t distance) {
    return by_words(value, [=](uint32_t word) { return __shfl_xor_sync(ALL, word, distance); });
  }
  template <class T>
  __device__ T shuffle_up(const T& value, uint32_t distance) {
    return by_words(value, [=](uint32_t word) { return __shfl_up_sync(ALL, word, distance); });
  }
  template <class T>
  __device__ T shuffle_down(const T& value, uint32_t distance) {
    return by_words(value, [=](uint32_t word) { return __shfl_down_sync(ALL, word, distance); });
  }
  __device__ uint32_t ballot(bool predicate) { return __ballot_sync(ALL, predicate); }

  template <class T>
  __device__ T atomic_add(T* at, T value) {
    return static_cast<T>(atomicAdd(as_cuda(at), static_cast<Of<T>>(value)));
  }
  template <class T>
  __device__ T atomic_min(T* at, T value) {
    return static_cast<T>(atomicMin(as_cuda(at), static_cast<Of<T>>(value)));
  }

 private:
  static constexpr unsigned ALL = 0xffffffff;
  // The types that CUDA's functions have.
  template <class T>
  using Of = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  template <class T>
  __device__ static Of<T>* as_cuda(T* at) {
    static_assert(std::is_unsigned_v<T> && sizeof(T) >= 4);
    return reinterpret_cast<Of<T>*>(at);
  }

  template <class T, class Word>
  __device__ static T by_words(const T& value, const Word& word) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
    T taken = value;
    auto* words = reinterpret_cast<uint32_t*>(&taken);
#pragma unroll
    for (size_t i = 0; i < sizeof(T) / 4; ++i) words[i] = word(words[i]);
    return taken;
  }
};

}  // namespace zka::gpu::cuda
