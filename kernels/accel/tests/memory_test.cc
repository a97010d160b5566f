#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <utility>

#include "core/failure.h"
#include "core/memory.h"
#include "support/allocations.h"

using zka::Array;
using zka::Failure;
using zka::Memory;

TEST_CASE("arrays are counted in full cache lines, released, and moved without a copy") {
  Memory memory(0);
  {
    Array<uint64_t> one(memory, 9);
    CHECK(memory.bytes() == 128);
    CHECK(reinterpret_cast<uintptr_t>(one.data()) % 64 == 0);
    one[8] = 5;
    Array<uint64_t> moved(std::move(one));
    CHECK(moved[8] == 5);
    Array<uint64_t> assigned;
    assigned = std::move(moved);
    CHECK(assigned.span().back() == 5);
    CHECK(memory.bytes() == 128);
  }
  CHECK(memory.bytes() == 0);
  CHECK(memory.bytes_peak() == 128);
  memory.reset_peak();
  CHECK(memory.bytes_peak() == 0);
}

TEST_CASE("does not count rejected allocations") {
  Memory memory(1000);
  const Array<char> held(memory, 640);
  CHECK_THROWS_AS(Array<char>(memory, 400), Failure);
  CHECK(memory.bytes() == 640);
  CHECK(memory.bytes_peak() == 640);
  CHECK_THROWS_AS(Memory::counted(uint64_t{1} << 60, 32), Failure);
  CHECK_THROWS_AS(Memory::counted(uint64_t{1} << 63, 2), Failure);
}

TEST_CASE("the most that was held has no part that was not to be had") {
  Memory memory(0);
  {
    const zka::test::FailingAllocation failing(0);
    CHECK_THROWS_AS(memory.allocate(1000), Failure);
  }
  const auto nothing = []() -> void* { return nullptr; };
  CHECK_THROWS_AS(memory.allocate_from(1000, nothing), Failure);
  CHECK_THROWS_AS(memory.allocate_from(1000, []() -> void* { throw Failure(ZKA_E_POISONED, ""); }), Failure);
  CHECK(memory.bytes() == 0);
  CHECK(memory.bytes_peak() == 0);
  // Nor what another thread was about to take.
  memory.allocate_from(1000, [&]() -> void* {
    const Array<char> meanwhile(memory, 64);
    CHECK(memory.bytes_peak() == 64);
    return &memory;
  });
  CHECK(memory.bytes_peak() == 1000);
  memory.released(1000);
}

TEST_CASE("an allocation that is rejected in one thread takes no room from another") {
  Memory memory(1 << 20);
  std::atomic<bool> stop{false};
  std::atomic<int> refused{0};
  std::thread greedy([&] {
    while (!stop) {
      try {
        memory.allocate(1 << 21);
      } catch (const Failure&) {
        ++refused;
      }
    }
  });
  int failed = 0;
  while (refused < 20'000) {
    try {
      const Array<char> little(memory, 64);
    } catch (const Failure&) {
      ++failed;
    }
  }
  stop = true;
  greedy.join();
  CHECK(failed == 0);
  CHECK(memory.bytes() == 0);
  CHECK(memory.bytes_peak() == 64);
}
