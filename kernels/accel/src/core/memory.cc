#include "core/memory.h"

#include <new>
#include <string>

#include "core/failure.h"

namespace zka {
namespace {

constexpr uint64_t ALIGNMENT = 64;
constexpr uint64_t BYTES_MAX = uint64_t{1} << 48;

}  // namespace

uint64_t Memory::counted(uint64_t elements, uint64_t element_bytes) {
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes) || bytes > BYTES_MAX) {
    throw Failure(ZKA_E_SIZE, std::to_string(elements) + " elements are more than any memory holds");
  }
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void* Memory::take(uint64_t bytes) {
  const uint64_t now = bytes_.fetch_add(bytes) + bytes;
  const bool beyond = bytes_max_ != 0 && now > bytes_max_;
  void* memory =
      beyond ? nullptr : ::operator new(bytes == 0 ? ALIGNMENT : bytes, std::align_val_t{ALIGNMENT}, std::nothrow);
  if (memory == nullptr) {
    bytes_ -= bytes;
    const std::string wanted = std::to_string(bytes) + " bytes";
    throw Failure(ZKA_E_OOM_HOST, beyond ? wanted + " more are beyond the limit of " + std::to_string(bytes_max_)
                                         : "no memory for " + wanted);
  }
  uint64_t peak = peak_;
  while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
  }
  return memory;
}

void Memory::give_back(void* memory, uint64_t bytes) noexcept {
  ::operator delete(memory, std::align_val_t{ALIGNMENT});
  bytes_ -= bytes;
}

}  // namespace zka
