#include "gpu/emulated/fiber.h"

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace zka::gpu::emulated {
namespace {

constexpr size_t PAGE = 4096;
constexpr size_t STACK_BYTES = size_t{256} << 10;

// The sanitizer has to know which stack is in use. To leave for good is to keep no notes.
void leaves_for([[maybe_unused]] void** keep, [[maybe_unused]] const void* stack, [[maybe_unused]] size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(keep, stack, bytes);
#endif
}
void arrived([[maybe_unused]] void* kept, [[maybe_unused]] const void** stack, [[maybe_unused]] size_t* bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(kept, stack, bytes);
#endif
}

// So has the one that looks for races: each fiber is another thread to it, and a new one each time.
void* tsan_now() {
#if defined(__SANITIZE_THREAD__)
  return __tsan_get_current_fiber();
#else
  return nullptr;
#endif
}
void* tsan_renewed([[maybe_unused]] void* ended) {
#if defined(__SANITIZE_THREAD__)
  if (ended != nullptr) __tsan_destroy_fiber(ended);
  return __tsan_create_fiber(0);
#else
  return nullptr;
#endif
}
void tsan_goes_to([[maybe_unused]] void* fiber) {
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(fiber, 0);
#endif
}

struct Freed {
  void operator()(Fiber* fiber) const {
    fiber->~Fiber();
    std::free(fiber);
  }
};
thread_local std::array<std::unique_ptr<Fiber, Freed>, Fiber::FIBERS_MAX> fibers;

}  // namespace

Fiber& Fiber::of_this_thread(size_t i) {
  if (!fibers[i]) {
    void* memory = std::malloc(sizeof(Fiber));
    if (memory == nullptr) throw std::bad_alloc();
    fibers[i].reset(new (memory) Fiber());
  }
  return *fibers[i];
}

// A page below the stack that nobody may touch ends a kernel that recurses.
Fiber::Fiber() {
  void* mapped = mmap(nullptr, PAGE + STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  mprotect(mapped, PAGE, PROT_NONE);
  stack_ = static_cast<std::byte*>(mapped) + PAGE;
}

Fiber::~Fiber() { munmap(stack_ - PAGE, PAGE + STACK_BYTES); }

void Fiber::start(void (*work)(void*), void* argument) {
  work_ = work;
  argument_ = argument;
  ended_ = false;
  own_notes_ = nullptr;
  tsan_self_ = tsan_renewed(tsan_self_);
  getcontext(&here_);
  here_.uc_stack.ss_sp = stack_;
  here_.uc_stack.ss_size = STACK_BYTES;
  here_.uc_link = nullptr;
  // makecontext hands over ints.
  const auto self = reinterpret_cast<uintptr_t>(this);
  makecontext(&here_, reinterpret_cast<void (*)()>(&Fiber::enter), 2, static_cast<unsigned>(self >> 32),
              static_cast<unsigned>(self));
  resume();
}

void Fiber::resume() {
  void* notes = nullptr;
  leaves_for(&notes, stack_, STACK_BYTES);
  tsan_caller_ = tsan_now();
  tsan_goes_to(tsan_self_);
  swapcontext(&caller_, &here_);
  arrived(notes, nullptr, nullptr);
}

void Fiber::enter(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<Fiber*>(uintptr_t{high} << 32 | low);
  arrived(nullptr, &self->caller_stack_, &self->caller_stack_bytes_);
  self->work_(self->argument_);
  self->ended_ = true;
  self->leave(nullptr);
}

void Fiber::pause() {
  leave(&own_notes_);
  arrived(own_notes_, &caller_stack_, &caller_stack_bytes_);
}

void Fiber::leave(void** keep) {
  leaves_for(keep, caller_stack_, caller_stack_bytes_);
  tsan_goes_to(tsan_caller_);
  swapcontext(&here_, &caller_);
}

}  // namespace zka::gpu::emulated
