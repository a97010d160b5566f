// A device that is this host's memory, and does what is queued on a stream when somebody waits for it.
#include "gpu/device/device.h"

#include <cstring>
#include <vector>

#include "gpu/emulated/device_memory.h"
#include "gpu/emulated/stream.h"

namespace zka::gpu {

uint64_t Device::open() {
  backend_ = "emulated";
  isa_ = "host";
  name_ = "a GPU that this host emulates";
  if (number_ != 0) throw Failure(ZKA_E_NO_DEVICE, "there is no device " + std::to_string(number_));
  return UINT64_MAX;
}

void Device::close() noexcept {}
void Device::make_current() {}

void* Device::driver_allocate(uint64_t bytes, Stream) { return emulated::allocate(bytes); }
void Device::driver_free(void* memory, Stream stream) noexcept {
  if (stream != nullptr) return stream->free_after(memory);
  CUstream_st::finish_all();
  emulated::deallocate(memory);
}

void* Device::allocate_host(uint64_t bytes) {
  use();
  void* memory = emulated::allocate_pinned(bytes);
  if (memory == nullptr) throw Failure(ZKA_E_OOM_HOST, "no memory for " + std::to_string(bytes) + " bytes");
  return memory;
}
void Device::deallocate_host(void* memory) noexcept {
  CUstream_st::finish_all();
  emulated::deallocate_pinned(memory);
}

Stream Device::create_stream() {
  use();
  return new CUstream_st;
}
// What nobody waited for is left out: nobody may rely on it.
void Device::destroy_stream(Stream stream) noexcept { delete stream; }
void Device::wait(Stream stream) {
  stream->finish();
  use();
}

void Device::upload(Stream stream, void* to, const void* from_host, uint64_t bytes) {
  use();
  if (bytes == 0) return;
  if (emulated::is_pinned(from_host)) return stream->enqueue([=] { std::memcpy(to, from_host, bytes); });
  const auto* first = static_cast<const std::byte*>(from_host);
  stream->enqueue([to, now = std::vector<std::byte>(first, first + bytes)] { std::memcpy(to, now.data(), now.size()); });
}
void Device::download(Stream stream, void* to_host, const void* from, uint64_t bytes) {
  use();
  if (bytes != 0) stream->enqueue([=] { std::memcpy(to_host, from, bytes); });
}
void Device::copy(Stream stream, void* to, const void* from, uint64_t bytes) {
  use();
  const auto begins = reinterpret_cast<uintptr_t>(to), source = reinterpret_cast<uintptr_t>(from);
  if (begins < source + bytes && source < begins + bytes) fail_for_good("a copy between ranges that overlap");
  if (bytes != 0) stream->enqueue([=] { std::memcpy(to, from, bytes); });
}
void Device::clear(Stream stream, void* at, uint64_t bytes) {
  use();
  if (bytes != 0) stream->enqueue([=] { std::memset(at, 0, bytes); });
}

}  // namespace zka::gpu
