#include "zkaccel/quotient.h"

#include "abi/buffers.h"
#include "abi/report_bytes.h"
#include "core/program/program.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using abi::guard_on;

namespace {

// Throws SIZE where a rotation goes round the n rows more than once.
void need_reach(const Program& program, uint64_t scale, size_t n) {
  uint64_t distance = 0;
  const bool overflow = __builtin_mul_overflow(uint64_t{program.reach()}, scale, &distance);
  if (!overflow && (distance == 0 || distance < n)) return;
  throw Failure(ZKA_E_SIZE, "a rotation by " + std::to_string(program.reach()) + " times " + std::to_string(scale) +
                                " is not below the " + std::to_string(n) + " rows");
}

std::vector<const zka_fe*> columns_of(const abi::Buffers& buffers, const Buffer& out, size_t n) {
  std::vector<const zka_fe*> columns;
  columns.reserve(buffers.all().size());
  for (const auto& buffer : buffers.all()) {
    abi::need_range(*buffer, 0, n, "a column");
    if (buffer.get() == &out) throw Failure(ZKA_E_INVALID_ARG, "out is one of the columns");
    columns.push_back(buffer->data());
  }
  return columns;
}

}  // namespace

zka_status zka_program_create(zka_ctx* ctx, const zka_program_desc* desc, zka_program** out) {
  return guard([&] {
    abi::need_out(out);
    const Call call(ctx);
    const zka_program_desc given = *abi::need(desc, "desc");
    abi::need_array(given.code, given.ncode, "code");
    abi::need_array(given.consts, given.nconsts, "consts");
    abi::need_field(static_cast<zka_field>(given.field));
    auto& operations = call.module(&Backend::quotient);
    *out = call.hand_out(std::make_shared<Program>(call.shared_context(), operations, given));
  });
}

void zka_program_free(zka_program* program) { Handles::all().remove<Program>(program); }

uint32_t zka_program_registers(const zka_program* program) {
  uint32_t registers = 0;
  guard([&] { registers = find<Program>(program, "program")->nregisters(); });
  return registers;
}

zka_status zka_evaluate_quotient(const zka_program* program, const zka_buf* const* columns, const zka_fe* challenges,
                                 uint64_t rotation_scale, size_t n, zka_buf* out, zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto code = find<Program>(program, "program");
    const Call call(code->context(), stream);
    const auto to = call.buffer(out, code->field(), "out");
    abi::need_range(*to, 0, n, "out");
    const abi::Buffers buffers(call, columns, code->ncolumns(), code->field(), "columns");
    const std::vector<const zka_fe*> data = columns_of(buffers, *to, n);
    abi::need_array(challenges, code->nchallenges(), "challenges");
    for (uint32_t i = 0; i < code->nchallenges(); ++i) abi::need_element(code->field(), challenges + i, "a challenge");
    need_reach(*code, rotation_scale, n);
    call.run([&](Queue& queue) {
      call.module(&Backend::quotient)
          .evaluate(queue, code->prepared(), data, {challenges, code->nchallenges()}, rotation_scale, n, to->data());
    });
  });
}

zka_status zka_evaluate_quotient_mem(const zka_program* program, size_t n, uint64_t* host_bytes,
                                     uint64_t* device_bytes) {
  return guard([&] {
    const auto code = find<Program>(program, "program");
    const Call call(code->context(), nullptr);
    abi::report_bytes(call.module(&Backend::quotient).evaluate_bytes(code->prepared(), n), host_bytes, device_bytes);
  });
}
