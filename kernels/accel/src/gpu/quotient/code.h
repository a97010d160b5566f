// A program as a device runs it: sixteen bytes an instruction, with the place of each operand.
#pragma once
#include <cstdint>

#include "core/memory.h"
#include "ff/hd.h"
#include "zkaccel/quotient.h"

namespace zka::gpu {

// Where an operand or a result is: in one of the thread's registers, in shared or in the device's memory, or, for all
// rows the same or for each another, in a table that comes with each evaluation.
enum class Location : uint32_t { shared, spilled, value, column };

class Place {
 public:
  // Numbers of results, which share their word with the operation, are below this; those of operands are below 16 times it.
  static constexpr uint32_t NUMBERS = uint32_t{1} << 26;

  Place() = default;
  constexpr ZKA_HD Place(Location location, uint32_t number) : word_(number << 2 | static_cast<uint32_t>(location)) {}
  static constexpr ZKA_HD Place of_word(uint32_t word) {
    return {static_cast<Location>(word & 3), word >> 2};
  }

  ZKA_HD Location location() const { return static_cast<Location>(word_ & 3); }
  ZKA_HD uint32_t number() const { return word_ >> 2; }
  ZKA_HD uint32_t word() const { return word_; }

 private:
  uint32_t word_;
};

struct alignas(16) DeviceInsn {
  uint32_t op_and_to;
  Place a, b, c;

  ZKA_HD uint32_t op() const { return op_and_to & 15; }
  ZKA_HD Place to() const { return Place::of_word(op_and_to >> 4); }
};

// A column from some row on: `ahead`, below the number of rows, is added to a row, and leads round its end.
struct DeviceColumn {
  const zka_fe* at;
  uint64_t ahead;
};

struct DeviceCode {
  Array<DeviceInsn> insns;
  // What the tables are made of: each operand that the program reads other than registers, once.
  Array<zka_operand> values, columns;
  Place result;
};

// Of a program whose registers were given by liveness. The registers that are used most are the ones in shared memory, of
// which there are `in_shared`; the others, numbered from 0 again, are spilled. Throws Failure SIZE, OOM_HOST.
DeviceCode encode(Memory& memory, const zka_program_desc& desc, uint32_t in_shared);

}  // namespace zka::gpu
