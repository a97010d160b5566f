#include "gpu/emulated/device_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <new>

#include "gpu/emulated/memory.h"

namespace zka::gpu::emulated {
namespace {

constexpr std::align_val_t ALIGNMENT{256};

struct Pinned {
  const std::byte* first;
  uint64_t bytes;
};
std::mutex pinned_mutex;
Vector<Pinned> pinned;

}  // namespace

void* allocate(uint64_t bytes) {
  void* memory = ::operator new(bytes, ALIGNMENT, std::nothrow);
  if (memory != nullptr) std::memset(memory, UNWRITTEN, bytes);
  return memory;
}

void deallocate(void* memory) noexcept { ::operator delete(memory, ALIGNMENT); }

void* allocate_pinned(uint64_t bytes) {
  void* memory = allocate(bytes);
  if (memory == nullptr) return nullptr;
  const std::lock_guard lock(pinned_mutex);
  pinned.push_back({static_cast<const std::byte*>(memory), bytes});
  return memory;
}

void deallocate_pinned(void* memory) noexcept {
  {
    const std::lock_guard lock(pinned_mutex);
    std::erase_if(pinned, [&](const Pinned& each) { return each.first == memory; });
  }
  deallocate(memory);
}

bool is_pinned(const void* memory) {
  const auto* at = static_cast<const std::byte*>(memory);
  const std::lock_guard lock(pinned_mutex);
  return std::any_of(pinned.begin(), pinned.end(),
                     [&](const Pinned& each) { return each.first <= at && at < each.first + each.bytes; });
}

}  // namespace zka::gpu::emulated
