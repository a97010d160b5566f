#include "quotient/programs.h"
#include "support/allocations.h"
#include "support/streams.h"

using namespace zka;
using namespace zka::test;

namespace {

constexpr size_t N = 600;
// In which buffers are read without memory of their own.
constexpr zka_form FORM = ZKA_FORM_MONTGOMERY;

zka_config with_threads() {
  zka_config config = tested_config();
  config.threads = 2;
  return config;
}

// An evaluation in a context that can be done again and again.
struct Evaluation {
  explicit Evaluation(zka_ctx* ctx, const TestProgram& of)
      : program(ctx, of), rows(ctx, of.field, Random(1).elements(of.field, N)),
        out(ctx, of.field, Random(2).elements(of.field, N)), before(contents()) {}

  zka_status run(zka_stream* stream = nullptr) const {
    zka_buf* const columns[] = {rows, rows, rows};
    return zka_evaluate_quotient(program, columns, nullptr, 1, N, out, stream);
  }
  std::vector<zka_fe> contents() const { return out.read(FORM); }
  void reset() const { REQUIRE(zka_buf_write(out, 0, before.data(), N, FORM, nullptr) == ZKA_OK); }
  std::vector<zka_fe> result() const {
    reset();
    CHECK(run() == ZKA_OK);
    return contents();
  }

  const Created program;
  const TestBuffer rows, out;
  const std::vector<zka_fe> before;
};

}  // namespace

TEST_CASE("a program and an evaluation that get no memory leave nothing behind, and the next one is right") {
  const TestContext context(with_threads());
  const TestProgram source = wide_program(40);
  const zka_program_desc desc = source.desc();
  const Evaluation evaluation(context, source);
  const auto expected = evaluation.result();
  each_allocation_fails_once(context, [&] {
    zka_program* program = nullptr;
    const zka_status status = zka_program_create(context, &desc, &program);
    zka_program_free(program);
    return status;
  });
  each_allocation_fails_once(context, [&] { return evaluation.run(); });
  CHECK(evaluation.result() == expected);
}

TEST_CASE("an evaluation with one byte less than it said is refused, and the context works on") {
  const TestProgram source = wide_program(4);
  uint64_t limit = 0;
  std::vector<zka_fe> expected;
  {
    const TestContext context(with_threads());
    const Evaluation evaluation(context, source);
    uint64_t host = 0, device = 0;
    REQUIRE(zka_evaluate_quotient_mem(evaluation.program, N, &host, &device) == ZKA_OK);
    limit = held(context).bytes + (on_plugin() ? device : host);
    expected = evaluation.result();
  }
  zka_config config = with_threads();
  (on_plugin() ? config.device_bytes_max : config.host_bytes_max) = limit;
  {
    const TestContext enough(config);
    CHECK(Evaluation(enough, source).result() == expected);
  }
  --(on_plugin() ? config.device_bytes_max : config.host_bytes_max);
  const TestContext too_small(config);
  const Evaluation evaluation(too_small, source);
  const uint64_t before = held(too_small).bytes;
  CHECK(evaluation.run() == out_of_memory());
  CHECK(held(too_small).bytes == before);
  CHECK(evaluation.contents() == evaluation.before);
  CHECK(zka_vector_op_apply(ZKA_OP_ADD, evaluation.rows, evaluation.rows, evaluation.out, N, nullptr) == ZKA_OK);
}

TEST_CASE("a cancelled evaluation does nothing, and the next one is right") {
  const TestContext context(with_threads());
  const Evaluation evaluation(context, wide_program(40));
  const auto expected = evaluation.result();
  const TestStream stream(context);
  evaluation.reset();
  REQUIRE(zka_stream_cancel(stream) == ZKA_OK);
  CHECK(evaluation.run(stream) == ZKA_E_CANCELLED);
  CHECK(zka_stream_sync(stream) == ZKA_E_CANCELLED);
  CHECK(evaluation.contents() == evaluation.before);
  CHECK(evaluation.run(stream) == ZKA_OK);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
  CHECK(evaluation.contents() == expected);
}
