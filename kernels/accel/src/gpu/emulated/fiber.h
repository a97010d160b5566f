// A thread of control that runs only while it is resumed, on a dedicated stack. Fibers and their stacks are the
// emulation's, and no device lacks them: they are not of operator new, and are reused by the next launch.
#pragma once
#include <ucontext.h>

#include <cstddef>

namespace zka::gpu::emulated {

class Fiber {
 public:
  // Throws bad_alloc where there is no memory for the stack.
  Fiber();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // The i-th of this host thread's, created when it is first used; i is below FIBERS_MAX.
  static constexpr size_t FIBERS_MAX = 1024;
  static Fiber& of_this_thread(size_t i);

  // Begins work(argument), which throws nothing, and returns when it pauses or ends. Not before the last has ended.
  void start(void (*work)(void*), void* argument);
  // Continues where it paused.
  void resume();
  // Called on the fiber: back to who started or resumed it.
  void pause();
  bool ended() const noexcept { return ended_; }

 private:
  static void enter(unsigned high, unsigned low);
  void leave(void** keep);

  std::byte* stack_;
  ucontext_t here_{}, caller_{};
  void (*work_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool ended_ = true;
  // The address sanitizer's: the caller's stack, and its notes of both.
  const void* caller_stack_ = nullptr;
  size_t caller_stack_bytes_ = 0;
  void* own_notes_ = nullptr;
  // The thread sanitizer's.
  void *tsan_self_ = nullptr, *tsan_caller_ = nullptr;
};

}  // namespace zka::gpu::emulated
