#include <doctest/doctest.h>

#include <utility>

#include "core/failure.h"
#include "core/memory.h"

using zka::Array;
using zka::Failure;
using zka::Memory;

TEST_CASE("arrays are counted in whole lines, given back, and moved without a copy") {
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

TEST_CASE("what is refused is not counted") {
  Memory memory(1000);
  const Array<char> held(memory, 640);
  CHECK_THROWS_AS(Array<char>(memory, 400), Failure);
  CHECK(memory.bytes() == 640);
  CHECK(memory.bytes_peak() == 640);
  CHECK_THROWS_AS(Memory::counted(uint64_t{1} << 60, 32), Failure);
  CHECK_THROWS_AS(Memory::counted(uint64_t{1} << 63, 2), Failure);
}
