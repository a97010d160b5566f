#include "core/memory.h"

#include <new>
#include <string>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "core/failure.h"

namespace zka {
namespace {

constexpr uint64_t ALIGNMENT = 64;
constexpr uint64_t BYTES_MAX = uint64_t{1} << 48;
constexpr uint64_t HUGE_PAGE = uint64_t{1} << 21;

std::align_val_t alignment(uint64_t bytes) { return std::align_val_t{bytes < 2 * HUGE_PAGE ? ALIGNMENT : HUGE_PAGE}; }

// What is walked through in long strides would else wait for page tables, and for page faults when it is new. A hint
// only: without it all works.
void in_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] uint64_t bytes) {
#if defined(__linux__)
  if (bytes >= 2 * HUGE_PAGE) madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
}

}  // namespace

uint64_t Memory::counted(uint64_t elements, uint64_t element_bytes) {
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes) || bytes > BYTES_MAX) {
    throw Failure(ZKA_E_SIZE, std::to_string(elements) + " elements are more than any memory holds");
  }
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void* Memory::allocate_from(uint64_t bytes, const std::function<void*()>& allocate) {
  void* memory = quota_.allocate(bytes, allocate, [&] {
    throw Failure(ZKA_E_OOM_HOST,
                  std::to_string(bytes) + " bytes more are beyond the limit of " + std::to_string(bytes_max()));
  });
  if (memory == nullptr) throw Failure(ZKA_E_OOM_HOST, "no memory for " + std::to_string(bytes) + " bytes");
  return memory;
}

void* Memory::allocate(uint64_t bytes) {
  void* memory = allocate_from(
      bytes, [bytes] { return ::operator new(bytes == 0 ? ALIGNMENT : bytes, alignment(bytes), std::nothrow); });
  in_huge_pages(memory, bytes);
  return memory;
}

void Memory::deallocate(void* memory, uint64_t bytes) noexcept {
  ::operator delete(memory, alignment(bytes));
  released(bytes);
}

}  // namespace zka
