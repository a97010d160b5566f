#include "zkaccel/lookup.h"

#include "abi/call.h"
#include "abi/report_bytes.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using abi::guard_on;

zka_status zka_permute_pair(const zka_buf* a, const zka_buf* s, size_t usable, zka_permute_order order, zka_buf* a_out,
                            zka_buf* s_out, uint64_t* bad_row, zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto input = find<Buffer>(a, "a");
    const Call call(input->context(), stream);
    const zka_field field = input->field();
    const auto table = call.buffer(s, field, "s");
    const auto new_input = call.buffer(a_out, field, "a_out");
    const auto new_table = call.buffer(s_out, field, "s_out");
    if (new_input == new_table) throw Failure(ZKA_E_INVALID_ARG, "a_out and s_out are the same buffer");
    abi::need_one_of(order, ZKA_PERMUTE_FIRST_MEETS, "order");
    abi::need_range(*input, 0, usable, "a");
    abi::need_range(*table, 0, usable, "s");
    abi::need_range(*new_input, 0, usable, "a_out");
    abi::need_range(*new_table, 0, usable, "s_out");
    if (bad_row != nullptr) abi::need(bad_row, "bad_row");
    call.run([&](Queue& queue) {
      call.module(&Backend::lookup)
          .permute_pair(queue, field, input->data(), table->data(), usable, order, new_input->data(),
                        new_table->data(), bad_row);
    });
  });
}

zka_status zka_permute_pair_mem(const zka_ctx* ctx, size_t usable, uint64_t* host_bytes, uint64_t* device_bytes) {
  return guard([&] {
    const Call call(ctx);
    abi::report_bytes(call.module(&Backend::lookup).permute_pair_bytes(usable), host_bytes, device_bytes);
  });
}
