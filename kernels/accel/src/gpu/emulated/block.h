// A block of threads that take turns: each runs until it waits for others or has returned. Which one goes first changes
// from block to block, so that what relies on an order shows.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "gpu/emulated/fiber.h"
#include "gpu/emulated/memory.h"
#include "gpu/grid/shape.h"

namespace zka::gpu::emulated {

class Thread;

// A kernel without its type.
struct Body {
  const void* kernel;
  void (*run)(const void* kernel, Thread& thread);
};

class Block {
 public:
  // What a thread may give the others of its warp at once.
  static constexpr size_t GIFT_BYTES = 128;
  using Gifts = std::array<std::array<std::byte, GIFT_BYTES>, WARP>;
  enum class Meeting : uint8_t { none, block, warp };

  Block(const Shape& shape, const Body& body);
  ~Block();

  // All threads of one block, to their end. Throws Failure INTERNAL where threads wait for one that does not come.
  void run(uint64_t row, uint64_t block, uint64_t seed);

  const Shape& shape() const noexcept { return shape_; }
  uint64_t row() const noexcept { return row_; }
  uint64_t block() const noexcept { return block_; }
  // Throws Failure INTERNAL beyond its end.
  std::byte* shared(size_t first_byte);

  // Called by the thread of that number.
  void wait_for_block(uint32_t thread) { meet(thread, Meeting::block); }
  // The gifts of all lanes, until the thread's next but one.
  const Gifts& exchange(uint32_t thread, const void* gift, size_t bytes);

 private:
  struct State {
    Meeting waits_for = Meeting::none;
    bool ended = false;
    uint8_t exchanges = 0;  // how often it gave, modulo 2: whose values are in the warp's one array and in the other
    Fiber* fiber = nullptr;
  };

  static void work(void* block) noexcept;
  void begin(uint64_t seed);
  void run_new_threads();
  bool go_on();
  void meet(uint32_t thread, Meeting meeting);
  void unwind() noexcept;
  std::string who_waits() const;

  const Shape shape_;
  const Body body_;
  uint64_t row_ = 0, block_ = 0;
  Vector<State> states_;
  Vector<uint32_t> order_;
  size_t started_ = 0;
  bool unwinding_ = false;
  Fiber* current_ = nullptr;
  std::exception_ptr error_;
  std::unique_ptr<std::byte, void (*)(void*)> shared_;
  Vector<std::array<Gifts, 2>> gifts_;
};

}  // namespace zka::gpu::emulated
