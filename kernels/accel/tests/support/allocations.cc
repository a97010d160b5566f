#include "support/allocations.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace zka::test {
namespace {

constexpr int64_t NONE = -1;
std::atomic<int64_t> held{0};
std::atomic<int64_t> until_failure{NONE};
std::atomic<bool> failed{false};

bool shall_fail() noexcept {
  int64_t left = until_failure;
  while (left != NONE && !until_failure.compare_exchange_weak(left, left - 1)) {
  }
  if (left == 0) failed = true;
  return left == 0;
}

void* allocate(size_t bytes, size_t alignment) noexcept {
  if (shall_fail()) return nullptr;
  void* block = std::aligned_alloc(alignment, (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment);
  if (block != nullptr) ++held;
  return block;
}

void* allocate_or_throw(size_t bytes, size_t alignment) {
  void* block = allocate(bytes, alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void release(void* block) noexcept {
  if (block != nullptr) --held;
  std::free(block);
}

constexpr size_t ORDINARY = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
size_t of(std::align_val_t alignment) { return static_cast<size_t>(alignment); }

}  // namespace

int64_t blocks_held() noexcept { return held; }

FailingAllocation::FailingAllocation(int64_t n) noexcept {
  failed = false;
  until_failure = n;
}
FailingAllocation::~FailingAllocation() { until_failure = NONE; }
bool FailingAllocation::came() const noexcept { return failed; }

}  // namespace zka::test

using namespace zka::test;
using std::align_val_t;
using std::nothrow_t;

void* operator new(size_t n) { return allocate_or_throw(n, ORDINARY); }
void* operator new[](size_t n) { return allocate_or_throw(n, ORDINARY); }
void* operator new(size_t n, align_val_t a) { return allocate_or_throw(n, of(a)); }
void* operator new[](size_t n, align_val_t a) { return allocate_or_throw(n, of(a)); }
void* operator new(size_t n, const nothrow_t&) noexcept { return allocate(n, ORDINARY); }
void* operator new[](size_t n, const nothrow_t&) noexcept { return allocate(n, ORDINARY); }
void* operator new(size_t n, align_val_t a, const nothrow_t&) noexcept { return allocate(n, of(a)); }
void* operator new[](size_t n, align_val_t a, const nothrow_t&) noexcept { return allocate(n, of(a)); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, size_t) noexcept { release(p); }
void operator delete[](void* p, size_t) noexcept { release(p); }
void operator delete(void* p, align_val_t) noexcept { release(p); }
void operator delete[](void* p, align_val_t) noexcept { release(p); }
void operator delete(void* p, size_t, align_val_t) noexcept { release(p); }
void operator delete[](void* p, size_t, align_val_t) noexcept { release(p); }
void operator delete(void* p, const nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const nothrow_t&) noexcept { release(p); }
void operator delete(void* p, align_val_t, const nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, align_val_t, const nothrow_t&) noexcept { release(p); }
