// One GPU, or its emulation: its memory, counted and bounded, and whether it still works. What it does itself is in
// cuda/device.cc and emulated/device.cc. All may be called from any thread.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "core/failure.h"
#include "core/quota.h"
#include "zkaccel/context.h"

// CUDA's own stream, of which there are only pointers here.
struct CUstream_st;

namespace zka::gpu {

using Stream = CUstream_st*;

class Device {
 public:
  // Throws Failure NO_DEVICE, DRIVER.
  explicit Device(const zka_config& config);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& backend() const noexcept { return backend_; }
  const std::string& isa() const noexcept { return isa_; }
  const std::string& name() const noexcept { return name_; }
  uint64_t bytes() const noexcept { return quota_.bytes(); }
  uint64_t bytes_peak() const noexcept { return quota_.bytes_peak(); }
  uint64_t bytes_max() const noexcept { return quota_.bytes_max(); }
  // What can be allocated now.
  uint64_t bytes_left() const noexcept { return quota_.bytes_left(); }

  // As many bytes as Memory::counted says; not cleared, aligned to 256 bytes. With a stream: for its work from now on, and
  // released after it; without: at once, and released when all streams are done. Throws Failure OOM_DEVICE, POISONED.
  void* allocate(uint64_t bytes, Stream stream);
  void deallocate(void* memory, uint64_t bytes, Stream stream) noexcept;

  // Of the host, read by the device without a copy; not counted here; released when all streams are done. Throws
  // Failure OOM_HOST, POISONED.
  void* allocate_host(uint64_t bytes);
  void deallocate_host(void* memory) noexcept;

  Stream create_stream();
  void destroy_stream(Stream stream) noexcept;
  void wait(Stream stream);
  // In the stream's order. From the host: as it was at the call, unless it is of allocate_host. To the host: there after the
  // next wait.
  void upload(Stream stream, void* to, const void* from_host, uint64_t bytes);
  void download(Stream stream, void* to_host, const void* from, uint64_t bytes);
  void copy(Stream stream, void* to, const void* from, uint64_t bytes);
  void clear(Stream stream, void* at, uint64_t bytes);

  // Before each use: makes it this thread's device. Throws Failure POISONED where it has failed for good.
  void use();
  // Whatever is requested of it from now on is POISONED, with these words.
  [[noreturn]] void fail_for_good(const std::string& words);
  // The same where nothing can be thrown.
  void remember_failure(const char* words) noexcept;
  // Of a result of CUDA. Throws Failure OOM_DEVICE, POISONED.
  void check(int cuda_error);

 private:
  // The device's own parts.
  uint64_t open();  // sets what it is; returns the bytes that are free
  void close() noexcept;
  void make_current();
  void* driver_allocate(uint64_t bytes, Stream stream);  // null where there is none
  void driver_free(void* memory, Stream stream) noexcept;

  int32_t number_;
  std::string backend_, isa_, name_;
  Quota quota_;
  std::atomic<bool> failed_{false};
  std::mutex why_failed_mutex_;
  std::string why_failed_;
};

}  // namespace zka::gpu
