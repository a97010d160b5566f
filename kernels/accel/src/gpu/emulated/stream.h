// A stream of the emulated device: what was asked of it is done when somebody waits, and not before, as may be on a
// device. So it shows where something is read, written or freed too early.
#pragma once
#include <cstddef>
#include <functional>
#include <mutex>

#include "gpu/emulated/memory.h"

struct CUstream_st {
 public:
  CUstream_st();
  // What was asked and never waited for is not done any more.
  ~CUstream_st();
  CUstream_st(const CUstream_st&) = delete;
  CUstream_st& operator=(const CUstream_st&) = delete;

  // Throws bad_alloc; and what finish throws, where so much was asked that some has to be done first.
  void ask(std::function<void()> work);
  // Memory of Device::allocate, given back in its turn. Nothing that can fail: not of operator new.
  void free_after(void* memory) noexcept;
  // All that was asked, in that order. What one throws is thrown, and the rest is left out.
  void finish();
  // The same of all streams; what they throw they have told their device.
  static void finish_all() noexcept;

 private:
  static constexpr size_t ASKED_MAX = 256;
  struct Asked {
    std::function<void()> work;
    void* freed = nullptr;
  };

  // By who has the mutex.
  void do_all();

  std::mutex mutex_;
  zka::gpu::emulated::Vector<Asked> asked_;
};
