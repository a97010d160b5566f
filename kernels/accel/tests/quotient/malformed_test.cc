#include <functional>
#include <string>

#include "quotient/programs.h"
#include "reference/program.h"

using namespace zka;
using namespace zka::test;

namespace {

std::string refusal(const TestContext& context, const zka_program_desc& desc) {
  zka_program* program = nullptr;
  const zka_status status = zka_program_create(context, &desc, &program);
  CHECK(program == nullptr);
  return zka_status_name(status) + (": " + context.last_error());
}

// Of two instructions that are well-formed, the second spoilt.
std::string refusal(const TestContext& context, const std::function<void(zka_insn&)>& spoil) {
  TestProgram program;
  program.ncolumns = 4;
  program.nregisters = 2;
  program.nchallenges = 1;
  program.consts = {fe(1)};
  program.code = {{ZKA_INSN_SQR, 0, column(3), {}, {}}, {ZKA_INSN_ADD, 0, reg(0), challenge(0), {}}};
  spoil(program.code[1]);
  return refusal(context, program.desc());
}

}  // namespace

TEST_CASE("rejects a malformed program with the number of the instruction and what is wrong with it") {
  const TestContext context;
  const auto check = [&](const std::string& words, const std::function<void(zka_insn&)>& spoil) {
    CHECK(refusal(context, spoil) == "ZKA_E_PROGRAM: instruction 1 " + words);
  };
  check("has the unknown operation 8", [](zka_insn& i) { i.op = 8; });
  check("writes register 2 of 2", [](zka_insn& i) { i.dst = 2; });
  check("reads as operand a register 1, which was not written before", [](zka_insn& i) { i.a = reg(1); });
  check("reads as operand b register 2 of 2", [](zka_insn& i) { i.b = reg(2); });
  check("reads as operand a column 4 of 4", [](zka_insn& i) { i.a = column(4); });
  check("reads as operand a constant 1 of 1", [](zka_insn& i) { i.a = constant(1); });
  check("reads as operand b challenge 1 of 1", [](zka_insn& i) { i.b = challenge(1); });
  check("reads as operand b previous value 1 of 1", [](zka_insn& i) { i.b = {ZKA_SRC_PREVIOUS, 1, 0}; });
  check("reads as operand a the unknown source 5", [](zka_insn& i) { i.a.source = 5; });
  check("rotates operand a, which is no column", [](zka_insn& i) { i.a.rotation = -1; });
  check("has no operand c, which must be all zero", [](zka_insn& i) { i.c = constant(0); });
  check("has no operand b, which must be all zero", [](zka_insn& i) { i.op = ZKA_INSN_NEG; });
}

TEST_CASE("a register that is written only by the instruction that reads it is not written before") {
  const TestContext context;
  TestProgram program;
  program.code = {{ZKA_INSN_ADD, 0, reg(0), reg(0), {}}};
  CHECK(refusal(context, program.desc()) ==
        "ZKA_E_PROGRAM: instruction 0 reads as operand a register 0, which was not written before");
}

TEST_CASE("rejects a program that leaves register 0 unwritten, or has no instructions") {
  const TestContext context;
  TestProgram program;
  program.nregisters = 2;
  CHECK(refusal(context, program.desc()) ==
        "ZKA_E_PROGRAM: the program has no instructions, so register 0 has no value");
  program.code = {{ZKA_INSN_MOV, 1, previous(), {}, {}}};
  CHECK(refusal(context, program.desc()) == "ZKA_E_PROGRAM: instruction 0 is the last, and register 0 was never written");
}

TEST_CASE("rejects a constant that is not below the modulus of the program's field") {
  const TestContext context;
  TestProgram program;
  program.code = {{ZKA_INSN_MOV, 0, constant(1), {}, {}}};
  program.consts = {fe(1), below(ZKA_FIELD_BN254_FQ, 1)};
  CHECK(refusal(context, program.desc()) == "ZKA_E_NON_CANONICAL: constant 1 is not below the modulus");
  program.field = ZKA_FIELD_BN254_FQ;
  CHECK(Created(context, program).registers() == 1);
}

TEST_CASE("rejects null and misaligned arguments and an unknown field") {
  const TestContext context;
  TestProgram program;
  program.code = {{ZKA_INSN_MOV, 0, previous(), {}, {}}};
  zka_program* out = nullptr;
  const zka_program_desc good = program.desc();
  CHECK(zka_program_create(nullptr, &good, &out) == ZKA_E_INVALID_ARG);
  CHECK(zka_program_create(context, nullptr, &out) == ZKA_E_INVALID_ARG);
  CHECK(zka_program_create(context, &good, nullptr) == ZKA_E_INVALID_ARG);
  for (const auto& spoil : {+[](zka_program_desc& d) { d.code = nullptr; }, +[](zka_program_desc& d) { d.field = 2; },
                            +[](zka_program_desc& d) { d.nconsts = 1, d.consts = nullptr; },
                            +[](zka_program_desc& d) { d.code = reinterpret_cast<const zka_insn*>(3); }}) {
    zka_program_desc bad = good;
    spoil(bad);
    CHECK(zka_program_create(context, &bad, &out) == ZKA_E_INVALID_ARG);
  }
  CHECK(zka_program_registers(nullptr) == 0);
}

TEST_CASE("rejects randomly corrupted programs at their first fault, unless they are well-formed") {
  const TestContext context;
  Random random(6);
  const uint32_t values[] = {0, 1, 2, 3, 5, 8, 12, 100, 0x7fffffff, 0x80000000, 0xffffffff};
  size_t refused = 0;
  for (size_t i = 0; i < up_to(20000, 2000); ++i) {
    TestProgram program = random_program(random, ZKA_FIELD_BN254_FR);
    for (size_t spoils = 1 + random.word() % 3; spoils > 0; --spoils) {
      auto* const words = reinterpret_cast<uint32_t*>(&program.code[random.word() % program.code.size()]);
      words[random.word() % (sizeof(zka_insn) / 4)] = values[random.word() % std::size(values)];
    }
    if (random.word() % 8 == 0) program.nregisters = values[random.word() % std::size(values)];
    const zka_program_desc desc = program.desc();
    const auto fault = reference::first_fault(desc);
    if (!fault) {
      CHECK(Created(context, program).registers() > 0);
      continue;
    }
    ++refused;
    const std::string words = refusal(context, desc);
    const std::string expected = "ZKA_E_PROGRAM: instruction " + std::to_string(*fault) + " ";
    CHECK(words.substr(0, expected.size()) == expected);
  }
  CHECK(refused > 500);
}
