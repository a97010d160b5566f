// sppark's transforms over bn256's scalars: forward, in natural order, by its own root of unity.
#include <cuda.h>

#include <cstdio>

#include <ff/alt_bn128.hpp>

using namespace alt_bn128;

#include <ntt/ntt.cuh>

namespace {

constexpr auto ORDER = NTT::InputOutputOrder::NN;
constexpr auto FORWARD = NTT::Direction::forward;
constexpr auto TYPE = NTT::Type::standard;

int reported(int code) {
  if (code != 0) std::fprintf(stderr, "sppark: transform: error %d of CUDA\n", code);
  return code;
}

}  // namespace

// Null where it failed.
extern "C" void* zkb_sppark_ntt_new(const void* column, size_t n) {
  void* own = nullptr;
  if (reported(cudaMalloc(&own, n * sizeof(fr_t))) != 0) return nullptr;
  if (reported(cudaMemcpy(own, column, n * sizeof(fr_t), cudaMemcpyHostToDevice)) == 0) return own;
  (void)cudaFree(own);
  return nullptr;
}

extern "C" int zkb_sppark_ntt_run(void* column, uint32_t k) try {
  const gpu_t& gpu = select_gpu();
  NTT::Base_dev_ptr(gpu, static_cast<fr_t*>(column), k, ORDER, FORWARD, TYPE);
  gpu.sync();
  return 0;
} catch (const cuda_error& error) {
  return reported(error.code());
}

// In the host's memory.
extern "C" int zkb_sppark_ntt_run_on_host(void* column, uint32_t k) {
  const RustError status = NTT::Base(select_gpu(), static_cast<fr_t*>(column), k, ORDER, FORWARD, TYPE);
  return reported(status.code);
}

extern "C" void zkb_sppark_ntt_free(void* column) { (void)cudaFree(column); }
