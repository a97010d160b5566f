// Arrays of the emulation itself: no device lacks them, so they are not of operator new.
#pragma once
#include <cstdlib>
#include <new>
#include <vector>

namespace zka::gpu::emulated {

template <class T>
struct Malloc {
  using value_type = T;
  Malloc() = default;
  template <class Other>
  Malloc(const Malloc<Other>&) {}

  T* allocate(size_t n) {
    void* memory = std::malloc(n * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) noexcept { std::free(memory); }
  bool operator==(const Malloc&) const = default;
};

template <class T>
using Vector = std::vector<T, Malloc<T>>;

}  // namespace zka::gpu::emulated
