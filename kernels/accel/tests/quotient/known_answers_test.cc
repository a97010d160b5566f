// The unit tests of halo2's graph evaluator. [halo2_backend/src/plonk/evaluation.rs, graphevaluator_*]
#include "quotient/programs.h"

using namespace zka::test;

namespace {

// Row 0 of a program over halo2's columns: fixed 0 and 1, advice 2 and 3, instance 4 and 5; challenges 8 and 9, beta 10,
// gamma 11, theta 12, y 13; constants 0, 1, 2, 3, 5; what was before is 14.
zka_fe row_0(zka_ctx* ctx, const std::vector<zka_insn>& code) {
  const TestBuffer in_montgomery_form(ctx, ZKA_FIELD_BN254_FR,
                                      {fe(8), fe(9), fe(10), fe(11), fe(12), fe(13), fe(0), fe(1), fe(2), fe(3), fe(5)});
  const std::vector<zka_fe> values = in_montgomery_form.read(ZKA_FORM_MONTGOMERY);
  TestProgram program;
  program.code = code;
  program.consts = {values.begin() + 6, values.end()};
  program.ncolumns = 6;
  program.nchallenges = 6;
  program.nregisters = 3;
  const Columns columns = {{fe(2), fe(3)}, {fe(1002), fe(1003)}, {fe(4), fe(5)},
                           {fe(1004), fe(1005)}, {fe(6), fe(7)}, {fe(1006), fe(1007)}};
  return evaluated(ctx, program, columns, values, 1, {fe(14), fe(14)}, ZKA_FORM_CANONICAL)[0];
}

zka_insn insn(uint32_t op, zka_operand a, zka_operand b = {}, zka_operand c = {}) { return {op, 0, a, b, c}; }

}  // namespace

TEST_CASE("each source gives its value, at rotation 0 and 1") {
  in_each_context([](zka_ctx* ctx) {
    const auto value = [&](zka_operand source) { return row_0(ctx, {insn(ZKA_INSN_MOV, source)}); };
    const uint64_t at_0[] = {2, 1002, 4, 1004, 6, 1006};
    for (uint32_t i = 0; i < 6; ++i) {
      CHECK(value(column(i)) == fe(at_0[i]));
      CHECK(value(column(i, 1)) == fe(at_0[i] + 1));
      CHECK(value(column(i, -1)) == fe(at_0[i] + 1));
      CHECK(value(challenge(i)) == fe(8 + i));
    }
    CHECK(value(constant(2)) == fe(2));
    CHECK(value(previous()) == fe(14));
  });
}

TEST_CASE("each operation on 2 and 3 gives what halo2 gives") {
  in_each_context([](zka_ctx* ctx) {
    const zka_operand two = column(0), three = column(0, 1);
    CHECK(row_0(ctx, {insn(ZKA_INSN_ADD, two, three)}) == fe(5));
    CHECK(row_0(ctx, {insn(ZKA_INSN_DBL, two)}) == fe(4));
    CHECK(row_0(ctx, {insn(ZKA_INSN_MUL, two, three)}) == fe(6));
    CHECK(row_0(ctx, {insn(ZKA_INSN_SQR, three)}) == fe(9));
    CHECK(row_0(ctx, {insn(ZKA_INSN_NEG, two)}) == below(ZKA_FIELD_BN254_FR, 2));
    CHECK(row_0(ctx, {insn(ZKA_INSN_SUB, three, two)}) == fe(1));
    CHECK(row_0(ctx, {insn(ZKA_INSN_SUB, two, three)}) == below(ZKA_FIELD_BN254_FR, 1));
  });
}

TEST_CASE("Horner's rule takes the parts from left to right") {
  in_each_context([](zka_ctx* ctx) {
    const zka_operand start = constant(2), factor = constant(3);
    const auto horner = [&](zka_operand first, zka_operand second) {
      return row_0(ctx, {insn(ZKA_INSN_MULADD, start, factor, first), insn(ZKA_INSN_MULADD, reg(0), factor, second)});
    };
    CHECK(horner(constant(3), constant(2)) == fe(29));
    CHECK(horner(constant(3), constant(4)) == fe(32));
    CHECK(horner(constant(4), constant(3)) == fe(36));
  });
}
