#include "quotient/programs.h"
#include "support/allocations.h"

using namespace zka::test;

// Of more registers than a device has in shared memory.
TEST_CASE("a program of many values and its evaluation that get no memory leave nothing behind, and the next is right") {
  constexpr zka_field FIELD = ZKA_FIELD_BN254_FR;
  constexpr size_t N = 600;
  zka_config config = tested_config();
  config.threads = 2;
  const TestContext context(config);
  const TestProgram source = wide_program(40);
  const zka_program_desc desc = source.desc();
  const Created program(context, source);
  const TestBuffer rows(context, FIELD, Random(1).elements(FIELD, N));
  zka_buf* const columns[] = {rows, rows, rows};
  const auto evaluate = [&](zka_buf* to) {
    return zka_evaluate_quotient(program, columns, nullptr, 1, N, to, nullptr);
  };

  const TestBuffer expected(context, FIELD, N), out(context, FIELD, N);
  CHECK(evaluate(expected) == ZKA_OK);
  each_allocation_fails_once(context, [&] {
    zka_program* created = nullptr;
    const zka_status status = zka_program_create(context, &desc, &created);
    zka_program_free(created);
    return status;
  });
  each_allocation_fails_once(context, [&] { return evaluate(out); });
  CHECK(out.read() == expected.read());
}
