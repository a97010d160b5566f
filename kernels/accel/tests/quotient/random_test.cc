#include "quotient/programs.h"
#include "reference/program.h"
#include "reference/quotient.h"

using namespace zka;
using namespace zka::test;

namespace {

std::string text(const TestProgram& program) {
  std::string all;
  const auto operand = [](const zka_operand& x) {
    return " " + std::string(1, "rkxcp"[x.source]) + std::to_string(x.index) + "@" + std::to_string(x.rotation);
  };
  for (const zka_insn& insn : program.code) {
    all += "op" + std::to_string(insn.op) + " r" + std::to_string(insn.dst) + operand(insn.a) + operand(insn.b) +
           operand(insn.c) + "\n";
  }
  return all;
}

// Of each set of instructions, or of the plug-in.
std::vector<zka_config> configs() {
  if (on_plugin()) return {tested_config()};
  std::vector<zka_config> all;
  for (const uint32_t isa : isas()) all.push_back(cpu_config(isa, 2));
  return all;
}

// A run with random contents, against the twin.
void compare(zka_ctx* ctx, Random& random, const TestProgram& program, size_t n, uint64_t scale) {
  Columns columns;
  for (uint32_t i = 0; i < program.ncolumns; ++i) columns.push_back(random.elements(program.field, n));
  const auto challenges = random.elements(program.field, program.nchallenges);
  std::vector<zka_fe> expected = random.elements(program.field, n);
  const auto result = evaluated(ctx, program, columns, challenges, scale, expected, ZKA_FORM_MONTGOMERY);
  reference::evaluate_quotient(program.desc(), columns, challenges, scale, expected);
  INFO(text(program));
  CHECK(result == expected);
}

}  // namespace

TEST_CASE("random programs give what they give row by row, with any instructions and threads") {
  const size_t sizes[] = {4, 7, 31, 32, 33, 63, 64, 65, 127, 128, 129};
  for (const zka_config& config : configs()) {
    const TestContext context(config);
    Random random(1);
    for (size_t i = 0; i < up_to(2000, 200); ++i) {
      const size_t n = sizes[random.word() % std::size(sizes)];
      const uint64_t scale = n < 31 ? 1 : random.word() % 11;
      compare(context, random, random_program(random, FIELDS[i % 2]), n, scale);
    }
  }
}

TEST_CASE("rows that are many are shared among threads and give the same") {
  in_each_context([](zka_ctx* ctx) {
    Random random(2);
    for (const size_t n : {size_t{511}, size_t{512}, size_t{513}, up_to(20000, 1025)}) {
      compare(ctx, random, random_program(random, ZKA_FIELD_BN254_FR), n, 1 + n / 4);
    }
  });
}

TEST_CASE("a program may have more values at once than a row's registers find room close by") {
  in_each_context([](zka_ctx* ctx) {
    Random random(7);
    for (const uint32_t count : {16u, 17u, 40u, 300u}) {
      const TestProgram program = wide_program(count);
      CHECK(Created(ctx, program).registers() == count);
      compare(ctx, random, program, 200, 3);
    }
  });
}

// Long enough for one to be in the middle of its rows while another is in the middle of others.
TEST_CASE("rows that are worked on at the same time have separate registers") {
  TestProgram program;
  program.ncolumns = 1;
  program.nregisters = 3;
  program.code = {{ZKA_INSN_ADD, 1, column(0), previous(), {}}, {ZKA_INSN_SQR, 0, column(0, 1), {}, {}}};
  for (uint32_t i = 0; i < 300; ++i) {
    program.code.push_back({ZKA_INSN_MULADD, 2, reg(0), reg(1), reg(0)});
    program.code.push_back({ZKA_INSN_SUB, 0, reg(2), reg(1), {}});
  }
  in_each_context([&](zka_ctx* ctx) {
    Random random(8);
    compare(ctx, random, program, up_to(4096, 1024), 1);
  });
}

TEST_CASE("one to three rows, and none") {
  in_each_context([](zka_ctx* ctx) {
    Random random(3);
    for (size_t i = 0; i < 40; ++i) {
      TestProgram program = random_program(random, ZKA_FIELD_BN254_FQ);
      compare(ctx, random, program, 1 + random.word() % 3, 0);
      compare(ctx, random, program, 0, 0);
    }
  });
}

TEST_CASE("a program without MOV gets as many registers as values are live at once") {
  const TestContext context;
  Random random(4);
  for (size_t i = 0; i < 3000; ++i) {
    const TestProgram program = random_program(random, ZKA_FIELD_BN254_FR, false);
    INFO(text(program));
    CHECK(Created(context, program).registers() == reference::most_live(program.desc()));
  }
}

TEST_CASE("a program never gets more registers than it had") {
  const TestContext context;
  Random random(5);
  for (size_t i = 0; i < 1000; ++i) {
    const TestProgram program = random_program(random, ZKA_FIELD_BN254_FR);
    CHECK(Created(context, program).registers() <= program.nregisters);
  }
}
