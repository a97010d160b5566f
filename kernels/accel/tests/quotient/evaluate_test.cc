#include "quotient/programs.h"
#include "support/taken.h"

using namespace zka;
using namespace zka::test;

namespace {

// out = (column 0 at a rotation) * challenge 0 + out
TestProgram one_column(int32_t rotation) {
  TestProgram program;
  program.code = {{ZKA_INSN_MULADD, 0, column(0, rotation), challenge(0), previous()}};
  program.ncolumns = program.nchallenges = 1;
  return program;
}

}  // namespace

TEST_CASE("a rotation is of fewer rows than there are") {
  const TestContext context;
  const TestBuffer rows(context, ZKA_FIELD_BN254_FR, 8), out(context, ZKA_FIELD_BN254_FR, 8);
  zka_buf* const columns[] = {rows};
  const zka_fe two = fe(2);
  const auto evaluate = [&](int32_t rotation, uint64_t scale, size_t n) {
    const Created program(context, one_column(rotation));
    return zka_evaluate_quotient(program, columns, &two, scale, n, out, nullptr);
  };
  CHECK(evaluate(-7, 1, 8) == ZKA_OK);
  CHECK(evaluate(8, 1, 8) == ZKA_E_SIZE);
  CHECK(evaluate(-8, 1, 8) == ZKA_E_SIZE);
  CHECK(evaluate(1, 7, 8) == ZKA_OK);
  CHECK(evaluate(-1, 8, 8) == ZKA_E_SIZE);
  CHECK(evaluate(INT32_MIN, uint64_t{1} << 33, 8) == ZKA_E_SIZE);
  CHECK(evaluate(INT32_MIN, 0, 8) == ZKA_OK);
  CHECK(evaluate(0, UINT64_MAX, 8) == ZKA_OK);
  CHECK(evaluate(0, 1, 0) == ZKA_OK);
  CHECK(evaluate(0, 1, 9) == ZKA_E_SIZE);
}

TEST_CASE("rejects arguments that do not fit") {
  const TestContext context, other;
  const Created program(context, one_column(0));
  const TestBuffer rows(context, ZKA_FIELD_BN254_FR, 8), out(context, ZKA_FIELD_BN254_FR, 8);
  const TestBuffer shorter(context, ZKA_FIELD_BN254_FR, 7), foreign(other, ZKA_FIELD_BN254_FR, 8);
  const TestBuffer other_field(context, ZKA_FIELD_BN254_FQ, 8);
  const zka_fe two = fe(2), too_large = below(ZKA_FIELD_BN254_FR, 0);
  const auto evaluate = [&](zka_buf* column, const zka_fe* challenges, zka_buf* to) {
    zka_buf* const columns[] = {column};
    return zka_evaluate_quotient(program, columns, challenges, 1, 8, to, nullptr);
  };
  CHECK(evaluate(rows, &two, out) == ZKA_OK);
  CHECK(evaluate(rows, &two, rows) == ZKA_E_INVALID_ARG);
  CHECK(evaluate(shorter, &two, out) == ZKA_E_SIZE);
  CHECK(evaluate(rows, &two, shorter) == ZKA_E_SIZE);
  CHECK(evaluate(foreign, &two, out) == ZKA_E_INVALID_ARG);
  CHECK(evaluate(other_field, &two, out) == ZKA_E_INVALID_ARG);
  CHECK(evaluate(nullptr, &two, out) == ZKA_E_INVALID_ARG);
  CHECK(evaluate(rows, nullptr, out) == ZKA_E_INVALID_ARG);
  CHECK(evaluate(rows, &too_large, out) == ZKA_E_NON_CANONICAL);
  CHECK(zka_evaluate_quotient(program, nullptr, &two, 1, 8, out, nullptr) == ZKA_E_INVALID_ARG);
}

TEST_CASE("an evaluation uses exactly the memory that was predicted") {
  in_each_context([](zka_ctx* ctx) {
    const zka_fe two = fe(2);
    for (const TestProgram& source : {one_column(1), wide_program(40)}) {
      const Created program(ctx, source);
      for (const size_t n : {size_t{3}, size_t{33}, size_t{600}, size_t{5000}}) {
        uint64_t host = 1, device = 1;
        REQUIRE(zka_evaluate_quotient_mem(program, n, &host, &device) == ZKA_OK);
        if (!on_plugin()) CHECK(device == 0);
        const TestBuffer a(ctx, ZKA_FIELD_BN254_FR, n), b(ctx, ZKA_FIELD_BN254_FR, n), c(ctx, ZKA_FIELD_BN254_FR, n);
        const TestBuffer out(ctx, ZKA_FIELD_BN254_FR, n);
        zka_buf* const columns[] = {a, b, c};
        const auto call = [&] { CHECK(zka_evaluate_quotient(program, columns, &two, 1, n, out, nullptr) == ZKA_OK); };
        CHECK(taken_by(ctx, call) == (on_plugin() ? device : host));
      }
    }
  });
}
