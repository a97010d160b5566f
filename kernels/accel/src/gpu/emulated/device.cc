// A device that is this host's memory, and does at once what is asked of it. What is copied to the host arrives only with
// the next wait, as it may on a device.
#include "gpu/device/device.h"

#include <cstring>
#include <new>
#include <utility>
#include <vector>

// A stream: what is under way to the host.
struct CUstream_st {
  struct Arrival {
    void* to;
    std::vector<std::byte> bytes;
  };
  std::vector<Arrival> arrivals;
};

namespace zka::gpu {
namespace {

constexpr std::align_val_t ALIGNMENT{256};
// What nobody wrote: no element of a field, and no index either.
constexpr int UNWRITTEN = 0xa5;

}  // namespace

uint64_t Device::open() {
  backend_ = "emulated";
  isa_ = "host";
  name_ = "a GPU that this host emulates";
  if (number_ != 0) throw Failure(ZKA_E_NO_DEVICE, "there is no device " + std::to_string(number_));
  return UINT64_MAX;
}

void Device::make_current() {}

void* Device::allocate(uint64_t bytes, Stream) {
  void* memory = ::operator new(bytes, ALIGNMENT, std::nothrow);
  if (memory != nullptr) std::memset(memory, UNWRITTEN, bytes);
  return memory;
}
void Device::release(void* memory, Stream) noexcept { ::operator delete(memory, ALIGNMENT); }

void* Device::take_host(uint64_t bytes) {
  use();
  void* memory = ::operator new(bytes, ALIGNMENT, std::nothrow);
  if (memory == nullptr) throw Failure(ZKA_E_OOM_HOST, "no memory for " + std::to_string(bytes) + " bytes");
  return memory;
}
void Device::give_back_host(void* memory) noexcept { ::operator delete(memory, ALIGNMENT); }

Stream Device::create_stream() {
  use();
  return new CUstream_st;
}
void Device::destroy_stream(Stream stream) noexcept { delete stream; }
void Device::wait(Stream stream) {
  const auto arrivals = std::exchange(stream->arrivals, {});
  use();
  for (const auto& [to, bytes] : arrivals) std::memcpy(to, bytes.data(), bytes.size());
}

void Device::upload(Stream, void* to, const void* from_host, uint64_t bytes) {
  use();
  if (bytes != 0) std::memcpy(to, from_host, bytes);
}
void Device::download(Stream stream, void* to_host, const void* from, uint64_t bytes) {
  use();
  const auto* first = static_cast<const std::byte*>(from);
  if (bytes != 0) stream->arrivals.push_back({to_host, {first, first + bytes}});
}
void Device::copy(Stream, void* to, const void* from, uint64_t bytes) {
  use();
  const auto begins = reinterpret_cast<uintptr_t>(to), source = reinterpret_cast<uintptr_t>(from);
  if (begins < source + bytes && source < begins + bytes) fail_for_good("a copy between ranges that overlap");
  if (bytes != 0) std::memcpy(to, from, bytes);
}
void Device::clear(Stream, void* at, uint64_t bytes) {
  use();
  if (bytes != 0) std::memset(at, 0, bytes);
}

}  // namespace zka::gpu
