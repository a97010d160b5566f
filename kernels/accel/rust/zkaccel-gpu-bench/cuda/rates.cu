// How fast a GPU multiplies and copies, at best: what else is measured is reported as a share of this.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "gpu/field/field.h"

namespace {

using zka::gpu::Fq;

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

constexpr int THREADS = 256, STEPS = 64, REPEATS = 5;

// One step of each chain: it needs what the step before it gave.
struct Narrow {
  using Value = uint32_t;
  static __device__ Value start(uint32_t seed) { return seed; }
  static __device__ void step(Value& x, uint32_t a) { asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(a)); }
  static __device__ uint32_t folded(Value x) { return x; }
};
struct Wide {
  using Value = uint64_t;
  static __device__ Value start(uint32_t seed) { return seed; }
  static __device__ void step(Value& x, uint32_t a) {
    asm volatile("mad.wide.u32 %0, %1, %2, %0;" : "+l"(x) : "r"(static_cast<uint32_t>(x)), "r"(a));
  }
  static __device__ uint32_t folded(Value x) { return static_cast<uint32_t>(x >> 32); }
};
struct FieldProduct {
  using Value = Fq;
  static __device__ Value start(uint32_t seed) { return {{{seed, 1, 2, 3, 4, 5, 6, 7}}}; }
  static __device__ void step(Value& x, uint32_t a) { x = x * Fq{{{a, 9, 8, 7, 6, 5, 4, 3}}}; }
  static __device__ uint32_t folded(Value x) { return x.l.w[0] ^ x.l.w[7]; }
};

template <class Step, int CHAINS>
__global__ void __launch_bounds__(THREADS) chains_kernel(uint32_t* out, uint32_t rounds, uint32_t factor) {
  typename Step::Value x[CHAINS];
#pragma unroll
  for (int i = 0; i < CHAINS; ++i) x[i] = Step::start(threadIdx.x * CHAINS + i + 1);
#pragma unroll 1
  for (uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < (sizeof(x[0]) > 8 ? 2 : STEPS); ++step) {
#pragma unroll
      for (int i = 0; i < CHAINS; ++i) Step::step(x[i], factor);
    }
  }
  uint32_t all = 0;
#pragma unroll
  for (int i = 0; i < CHAINS; ++i) all ^= Step::folded(x[i]);
  // Never so, which the compiler does not know: nothing of the above may be left out.
  if (all == 0x9e3779b9 && factor == 0) *out = all;
}

class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { (void)cudaEventDestroy(event_); }
  void record() const { check(cudaEventRecord(event_)); }
  // Seconds from the other one to this.
  double since(const Event& other) const {
    check(cudaEventSynchronize(event_));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, other.event_, event_));
    return ms / 1e3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// The least seconds of a few, after one that is not counted.
template <class Work>
double best_seconds(const Work& work) {
  const Event begin, end;
  double best = 1e30;
  for (int i = 0; i <= REPEATS; ++i) {
    begin.record();
    work();
    check(cudaGetLastError());
    end.record();
    const double seconds = end.since(begin);
    if (i > 0) best = std::min(best, seconds);
  }
  return best;
}

// Steps a second over the whole GPU, as many threads as it holds.
template <class Step, int CHAINS>
double steps() {
  int device = 0, processors = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, chains_kernel<Step, CHAINS>, THREADS, 0));
  const uint32_t grid = static_cast<uint32_t>(processors * blocks);
  const int in_round = sizeof(typename Step::Value) > 8 ? 2 : STEPS;
  const uint32_t rounds = 1 << 15 >> (in_round == 2 ? 2 : 0);
  const double seconds =
      best_seconds([&] { chains_kernel<Step, CHAINS><<<grid, THREADS>>>(nullptr, rounds, 0x12345); });
  return double{1} * grid * THREADS * CHAINS * in_round * rounds / seconds;
}

struct Memory {
  explicit Memory(size_t bytes, bool on_host) : on_host(on_host) {
    check(on_host ? cudaMallocHost(&at, bytes) : cudaMalloc(&at, bytes));
    check(on_host ? cudaSuccess : cudaMemset(at, 1, bytes));
  }
  ~Memory() { (void)(on_host ? cudaFreeHost(at) : cudaFree(at)); }
  void* at = nullptr;
  bool on_host;
};

// Bytes copied a second, each counted once; the host's are pinned.
double copied(bool from_host, bool to_host) {
  constexpr size_t BYTES = size_t{1} << 30;
  const Memory from(BYTES, from_host), to(BYTES, to_host);
  return BYTES / best_seconds([&] { check(cudaMemcpyAsync(to.at, from.at, BYTES, cudaMemcpyDefault)); });
}

double rate(int which) {
  switch (which) {
    case 0: return steps<Narrow, 1>();
    case 1: return steps<Narrow, 8>();
    case 2: return steps<Wide, 1>();
    case 3: return steps<Wide, 8>();
    case 4: return steps<FieldProduct, 1>();
    case 5: return steps<FieldProduct, 4>();
    case 6: return copied(false, false);
    case 7: return copied(true, false);
    case 8: return copied(false, true);
    default: throw std::runtime_error("no such rate");
  }
}

}  // namespace

// A second; below zero where it failed. `src/rates.rs` says what they are.
extern "C" double zkb_rate(int which) try {
  return rate(which);
} catch (const std::exception&) {
  return -1;
}
