// The memory of the emulated device, which is the host's.
#pragma once
#include <cstdint>

namespace zka::gpu::emulated {

// What nobody wrote: no element of a field, and no index either.
constexpr int UNWRITTEN = 0xa5;

// Aligned to 256 bytes, and holding a pattern that nobody wrote; null where there is none.
void* allocate(uint64_t bytes);
// Null is ignored.
void deallocate(void* memory) noexcept;

// Of the host, which the device reads without a copy. Null where there is none.
void* allocate_pinned(uint64_t bytes);
void deallocate_pinned(void* memory) noexcept;
bool is_pinned(const void* memory);

}  // namespace zka::gpu::emulated
