#include "zkaccel/buffer.h"

#include "abi/call.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using abi::guard_on;
using abi::need_array;
using abi::need_range;

zka_status zka_buf_alloc(zka_ctx* ctx, zka_field field, size_t n, zka_buf** out) {
  return guard([&] {
    abi::need_out(out);
    abi::need_field(field);
    const Call call(ctx);
    *out = call.hand_out(std::make_shared<Buffer>(call.shared_context(), field, n));
  });
}

void zka_buf_free(zka_buf* buf) { Handles::all().remove<Buffer>(buf); }

size_t zka_buf_len(const zka_buf* buf) {
  size_t n = 0;
  guard([&] { n = find<Buffer>(buf, "buf")->size(); });
  return n;
}

zka_status zka_buf_write(zka_buf* buf, size_t offset, const zka_fe* from, size_t n, zka_form form,
                         zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto to = find<Buffer>(buf, "buf");
    const Call call(to->context(), stream);
    need_array(from, n, "from");
    abi::need_one_of(form, ZKA_FORM_CANONICAL, "form");
    need_range(*to, offset, n, "buf");
    call.run([&](Queue& queue) {
      call.module(&Backend::buffers).write(queue, to->field(), to->data(offset), from, n, form);
    });
  });
}

zka_status zka_buf_read(const zka_buf* buf, size_t offset, zka_fe* to, size_t n, zka_form form, zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto from = find<Buffer>(buf, "buf");
    const Call call(from->context(), stream);
    need_array(to, n, "to");
    abi::need_one_of(form, ZKA_FORM_CANONICAL, "form");
    need_range(*from, offset, n, "buf");
    call.run([&](Queue& queue) {
      call.module(&Backend::buffers).read(queue, from->field(), from->data(offset), to, n, form);
    });
  });
}

zka_status zka_buf_copy(zka_buf* to, size_t to_offset, const zka_buf* from, size_t from_offset, size_t n,
                        zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto target = find<Buffer>(to, "to");
    const Call call(target->context(), stream);
    const auto source = call.buffer(from, target->field(), "from");
    need_range(*target, to_offset, n, "to");
    need_range(*source, from_offset, n, "from");
    call.run([&](Queue& queue) {
      call.module(&Backend::buffers).copy(queue, target->data(to_offset), source->data(from_offset), n);
    });
  });
}

zka_status zka_host_alloc(zka_ctx* ctx, size_t bytes, void** out) {
  return guard([&] {
    abi::need_out(out);
    *out = find<Context>(ctx, "ctx")->allocate_host(bytes);
  });
}

void zka_host_free(zka_ctx* ctx, void* memory) {
  guard([&] { find<Context>(ctx, "ctx")->free_host(memory); });
}
