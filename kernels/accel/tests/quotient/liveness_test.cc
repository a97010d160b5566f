#include "core/program/liveness.h"
#include "quotient/programs.h"

using namespace zka;
using namespace zka::test;

namespace {

uint32_t registers(const std::vector<zka_insn>& code) {
  Memory memory(0);
  return lean_code(memory, code).nregisters;
}

// Sum of 2^depth columns into `to`, left before right, with a separate register for each node.
void sum_depth_first(std::vector<zka_insn>& code, uint32_t depth, uint32_t to, uint32_t& next) {
  if (depth == 1) return code.push_back({ZKA_INSN_ADD, to, column(0), column(1), {}});
  const uint32_t left = next++, right = next++;
  sum_depth_first(code, depth - 1, left, next);
  sum_depth_first(code, depth - 1, right, next);
  code.push_back({ZKA_INSN_ADD, to, reg(left), reg(right), {}});
}

}  // namespace

TEST_CASE("a chain of multiply-adds takes one register, however many it was written with") {
  std::vector<zka_insn> code = {{ZKA_INSN_MOV, 7, previous(), {}, {}}};
  for (uint32_t i = 8; i < 100; ++i) code.push_back({ZKA_INSN_MULADD, i, reg(i - 1), challenge(0), column(i)});
  code.push_back({ZKA_INSN_NEG, 0, reg(99), {}, {}});
  CHECK(registers(code) == 1);
}

TEST_CASE("a tree of sums takes as many registers as it is deep where it is summed depth first") {
  for (uint32_t depth = 1; depth < 8; ++depth) {
    std::vector<zka_insn> code;
    uint32_t next = 1;
    sum_depth_first(code, depth, 0, next);
    CHECK(registers(code) == depth);
  }
}

TEST_CASE("values that are all made before any is read take a register each") {
  std::vector<zka_insn> code;
  for (uint32_t i = 0; i < 20; ++i) code.push_back({ZKA_INSN_SQR, i, column(i), {}, {}});
  for (uint32_t i = 1; i < 20; ++i) code.push_back({ZKA_INSN_ADD, 0, reg(0), reg(i), {}});
  CHECK(registers(code) == 20);
}

TEST_CASE("columns that are moved to registers first are read where they are used, without registers") {
  std::vector<zka_insn> code;
  for (uint32_t i = 0; i < 20; ++i) code.push_back({ZKA_INSN_MOV, i + 1, column(i, 1), {}, {}});
  for (uint32_t i = 0; i < 20; i += 2) code.push_back({ZKA_INSN_MULADD, 0, reg(i + 1), reg(i + 2), previous()});
  Memory memory(0);
  const LeanCode lean = lean_code(memory, code);
  CHECK(lean.nregisters == 1);
  REQUIRE(lean.code().size() == 1);  // all but the last write of register 0 is overwritten unread
  CHECK(lean.code()[0].a.source == ZKA_SRC_COLUMN);
  CHECK(lean.code()[0].a.index == 18);
  CHECK(lean.code()[0].b.rotation == 1);
}

TEST_CASE("a program that only moves is one instruction") {
  Memory memory(0);
  const std::vector<zka_insn> code = {{ZKA_INSN_MOV, 1, column(2, -1), {}, {}},
                                      {ZKA_INSN_DBL, 3, reg(1), {}, {}},
                                      {ZKA_INSN_MOV, 0, reg(1), {}, {}}};
  const LeanCode lean = lean_code(memory, code);
  REQUIRE(lean.code().size() == 1);
  CHECK(lean.code()[0].op == ZKA_INSN_MOV);
  CHECK(lean.code()[0].dst == 0);
  CHECK(lean.code()[0].a.index == 2);
  CHECK(lean.code()[0].a.rotation == -1);
}
