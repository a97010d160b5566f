// Programs to test with: written down, or made at random.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/buffers.h"

namespace zka::test {

inline zka_operand reg(uint32_t index) { return {ZKA_SRC_REGISTER, index, 0}; }
inline zka_operand constant(uint32_t index) { return {ZKA_SRC_CONST, index, 0}; }
inline zka_operand column(uint32_t index, int32_t rotation = 0) { return {ZKA_SRC_COLUMN, index, rotation}; }
inline zka_operand challenge(uint32_t index) { return {ZKA_SRC_CHALLENGE, index, 0}; }
inline zka_operand previous() { return {ZKA_SRC_PREVIOUS, 0, 0}; }

struct TestProgram {
  std::vector<zka_insn> code;
  std::vector<zka_fe> consts;  // Montgomery form
  uint32_t ncolumns = 0, nchallenges = 0, nregisters = 1;
  zka_field field = ZKA_FIELD_BN254_FR;

  zka_program_desc desc() const {
    return {code.data(), code.size(), consts.data(), consts.size(), ncolumns, nchallenges, nregisters, field};
  }
};

// The program in a context, freed with it.
class Created {
 public:
  Created(zka_ctx* ctx, const TestProgram& program) {
    const zka_program_desc desc = program.desc();
    const zka_status status = zka_program_create(ctx, &desc, &program_);
    INFO(std::string(zka_last_error(ctx)));
    REQUIRE(status == ZKA_OK);
  }
  ~Created() { zka_program_free(program_); }
  Created(const Created&) = delete;
  Created& operator=(const Created&) = delete;
  operator zka_program*() const noexcept { return program_; }
  uint32_t registers() const { return zka_program_registers(program_); }

 private:
  zka_program* program_ = nullptr;
};

using Columns = std::vector<std::vector<zka_fe>>;

// What out holds after the evaluation, and `out` before; all in `form`, but challenges in Montgomery form.
inline std::vector<zka_fe> evaluated(zka_ctx* ctx, const TestProgram& program, const Columns& columns,
                                     const std::vector<zka_fe>& challenges, uint64_t scale,
                                     const std::vector<zka_fe>& out, zka_form form) {
  const Created created(ctx, program);
  std::vector<std::unique_ptr<TestBuffer>> buffers;
  std::vector<zka_buf*> handles;
  for (const auto& each : columns) {
    handles.push_back(*buffers.emplace_back(std::make_unique<TestBuffer>(ctx, program.field, each, form)));
  }
  const TestBuffer target(ctx, program.field, out, form);
  const zka_status status = zka_evaluate_quotient(created, handles.data(), challenges.data(), scale, out.size(),
                                                  target, nullptr);
  INFO(std::string(zka_last_error(ctx)));
  REQUIRE(status == ZKA_OK);
  return target.read(form);
}

// Well-formed, of all operations and sources.
inline TestProgram random_program(Random& random, zka_field field, bool with_mov = true) {
  TestProgram program;
  program.field = field;
  program.consts = random.elements(field, 1 + random.word() % 3);
  program.ncolumns = 1 + random.word() % 4;
  program.nchallenges = 1 + random.word() % 2;
  program.nregisters = 1 + random.word() % 12;
  std::vector<uint32_t> written;
  const auto operand = [&]() -> zka_operand {
    const uint64_t kind = random.word() % 8;
    if (kind < 4 && !written.empty()) return reg(written[random.word() % written.size()]);
    if (kind == 4) return constant(random.word() % program.consts.size());
    if (kind == 5) return challenge(random.word() % program.nchallenges);
    if (kind == 6) return previous();
    return column(random.word() % program.ncolumns, static_cast<int32_t>(random.word() % 7) - 3);
  };
  const size_t ncode = 1 + random.word() % 40;
  for (size_t i = 0; i < ncode; ++i) {
    zka_insn insn{};
    insn.op = with_mov ? random.word() % 8 : 1 + random.word() % 7;
    insn.dst = i + 1 == ncode ? 0 : random.word() % program.nregisters;
    insn.a = operand();
    if (insn.op == ZKA_INSN_ADD || insn.op == ZKA_INSN_SUB || insn.op == ZKA_INSN_MUL || insn.op == ZKA_INSN_MULADD) {
      insn.b = operand();
    }
    if (insn.op == ZKA_INSN_MULADD) insn.c = operand();
    program.code.push_back(insn);
    written.push_back(insn.dst);
  }
  return program;
}

// Of n > 1 values, another for each row, that are all made before any is read.
inline TestProgram wide_program(uint32_t n) {
  TestProgram program;
  program.ncolumns = 3;
  program.nregisters = n;
  for (uint32_t i = 0; i < n; ++i) {
    program.code.push_back({ZKA_INSN_MULADD, i, column(i % 3, static_cast<int32_t>(i % 5) - 2), column((i + 1) % 3),
                            i == 0 ? previous() : reg(i - 1)});
  }
  for (uint32_t i = 1; i < n; ++i) program.code.push_back({ZKA_INSN_MULADD, 0, reg(0), reg(i), reg(n - i)});
  return program;
}

}  // namespace zka::test
