// A stream of the emulated device: what was queued on it is done when somebody waits, and not before, as may be on a
// device. So it shows where something is read, written or freed too early.
#pragma once
#include <cstddef>
#include <functional>
#include <mutex>

#include "gpu/emulated/memory.h"

struct CUstream_st {
 public:
  CUstream_st();
  // What was queued and never waited for is not done any more.
  ~CUstream_st();
  CUstream_st(const CUstream_st&) = delete;
  CUstream_st& operator=(const CUstream_st&) = delete;

  // Throws bad_alloc; and what finish throws, where so much is queued that some has to be done first.
  void enqueue(std::function<void()> work);
  // Memory of Device::driver_allocate, released in its turn. Nothing that can fail: not of operator new.
  void free_after(void* memory) noexcept;
  // All that was queued, in that order. What one throws is thrown, and the rest is left out.
  void finish();
  // The same of all streams; their device has already recorded what they throw.
  static void finish_all() noexcept;

 private:
  static constexpr size_t QUEUED_MAX = 256;
  struct Queued {
    std::function<void()> work;
    void* freed = nullptr;
  };

  // By who has the mutex.
  void do_all();

  std::mutex mutex_;
  zka::gpu::emulated::Vector<Queued> queued_;
};
