// Inverses and products along a vector, of zkaccel/vector.h.
#include "abi/call.h"
#include "abi/report_bytes.h"
#include "zkaccel/vector.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using abi::guard_on;
using abi::need_range;

namespace {

void need_one_more(const Buffer& z, size_t n) {
  if (n < z.size()) return;
  throw Failure(ZKA_E_SIZE,
                "z has " + std::to_string(z.size()) + " elements and needs n + 1 = " + std::to_string(n + 1));
}

}  // namespace

zka_status zka_batch_inverse(zka_buf* v, size_t offset, size_t n, zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto of = find<Buffer>(v, "v");
    const Call call(of->context(), stream);
    need_range(*of, offset, n, "v");
    call.run([&](Queue& queue) {
      call.module(&Backend::products).batch_inverse(queue, of->field(), of->data(offset), n);
    });
  });
}

zka_status zka_batch_inverse_mem(const zka_ctx* ctx, size_t n, uint64_t* host_bytes, uint64_t* device_bytes) {
  return guard([&] {
    abi::report_bytes(Call(ctx).module(&Backend::products).batch_inverse_bytes(n), host_bytes, device_bytes);
  });
}

zka_status zka_grand_product(const zka_buf* num, const zka_buf* den, const zka_fe* start, size_t n, zka_buf* z,
                             zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto to = find<Buffer>(z, "z");
    const Call call(to->context(), stream);
    const auto above = call.buffer(num, to->field(), "num");
    const auto below = call.buffer(den, to->field(), "den");
    need_range(*above, 0, n, "num");
    need_range(*below, 0, n, "den");
    need_one_more(*to, n);
    if (to == above || to == below) throw Failure(ZKA_E_INVALID_ARG, "z is num or den");
    const zka_fe first = abi::need_element(to->field(), start, "start");
    call.run([&](Queue& queue) {
      call.module(&Backend::products)
          .grand_product(queue, to->field(), above->data(), below->data(), first, n, to->data());
    });
  });
}

zka_status zka_grand_product_mem(const zka_ctx* ctx, size_t n, uint64_t* host_bytes, uint64_t* device_bytes) {
  return guard([&] {
    abi::report_bytes(Call(ctx).module(&Backend::products).grand_product_bytes(n), host_bytes, device_bytes);
  });
}
