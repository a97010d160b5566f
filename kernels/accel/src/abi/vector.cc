#include "zkaccel/vector.h"

#include "abi/call.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard_on;
using abi::need_element;
using abi::need_range;

zka_status zka_vector_op_apply(zka_vector_op op, const zka_buf* a, const zka_buf* b, zka_buf* out, size_t n,
                               zka_stream* stream) {
  return guard_on(stream, [&] {
    abi::need_one_of(op, ZKA_OP_MUL, "op");
    const auto to = find<Buffer>(out, "out");
    const Call call(to->context(), stream);
    const auto left = call.buffer(a, to->field(), "a");
    const auto right = call.buffer(b, to->field(), "b");
    need_range(*left, 0, n, "a");
    need_range(*right, 0, n, "b");
    need_range(*to, 0, n, "out");
    call.run([&](Queue& queue) {
      call.module(&Backend::vectors).apply(queue, to->field(), op, left->data(), right->data(), to->data(), n);
    });
  });
}

zka_status zka_vector_scale_add(const zka_fe* factor, const zka_buf* a, const zka_buf* b, zka_buf* out, size_t n,
                                zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto to = find<Buffer>(out, "out");
    const Call call(to->context(), stream);
    const auto scaled = call.buffer(a, to->field(), "a");
    const auto added = b == nullptr ? nullptr : call.buffer(b, to->field(), "b");
    need_range(*scaled, 0, n, "a");
    if (added) need_range(*added, 0, n, "b");
    need_range(*to, 0, n, "out");
    const zka_fe times = need_element(to->field(), factor, "factor");
    call.run([&](Queue& queue) {
      call.module(&Backend::vectors)
          .scale_add(queue, to->field(), times, scaled->data(), added ? added->data() : nullptr, to->data(), n);
    });
  });
}

zka_status zka_vector_powers(const zka_fe* start, const zka_fe* base, zka_buf* out, size_t n, zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto to = find<Buffer>(out, "out");
    const Call call(to->context(), stream);
    need_range(*to, 0, n, "out");
    const zka_fe first = need_element(to->field(), start, "start");
    const zka_fe ratio = need_element(to->field(), base, "base");
    call.run([&](Queue& queue) {
      call.module(&Backend::vectors).powers(queue, to->field(), first, ratio, to->data(), n);
    });
  });
}
