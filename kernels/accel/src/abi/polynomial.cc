#include "zkaccel/polynomial.h"

#include "abi/buffers.h"
#include "abi/report_bytes.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using abi::guard_on;

namespace {

std::vector<Coefficients> coefficients_of(const abi::Buffers& buffers) {
  std::vector<Coefficients> polys;
  polys.reserve(buffers.all().size());
  for (const auto& buffer : buffers.all()) polys.push_back({buffer->data(), buffer->size()});
  return polys;
}

// What is taken from each polynomial: readable elements below the modulus, at most n of them. Empty where `low` is null.
std::vector<Coefficients> low_of(zka_field field, const zka_fe* const* low, const size_t* low_len, size_t m, size_t n) {
  if (low == nullptr) return {};
  abi::need_array(low, m, "low");
  abi::need_array(low_len, m, "low_len");
  std::vector<Coefficients> all;
  all.reserve(m);
  for (size_t i = 0; i < m; ++i) {
    if (low_len[i] > n) throw Failure(ZKA_E_SIZE, "low[" + std::to_string(i) + "] is longer than out");
    abi::need_array(low[i], low_len[i], "an element of low");
    for (size_t j = 0; j < low_len[i]; ++j) abi::need_element(field, low[i] + j, "a coefficient of low");
    all.push_back({low[i], low_len[i]});
  }
  return all;
}

std::span<const zka_fe> elements_of(zka_field field, const zka_fe* elements, size_t n, const char* what) {
  abi::need_array(elements, n, what);
  for (size_t i = 0; i < n; ++i) abi::need_element(field, elements + i, what);
  return {elements, n};
}

size_t values_of(size_t m, size_t npoints) {
  size_t values = 0;
  if (!__builtin_mul_overflow(m, npoints, &values)) return values;
  throw Failure(ZKA_E_SIZE, std::to_string(m) + " polynomials at " + std::to_string(npoints) + " points are too many");
}

}  // namespace

zka_status zka_poly_fold(const zka_buf* const* polys, size_t m, const zka_fe* factor, const zka_fe* const* low,
                         const size_t* low_len, zka_buf* out, zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto to = find<Buffer>(out, "out");
    const Call call(to->context(), stream);
    const abi::Buffers buffers(call, polys, m, to->field(), "polys");
    for (const auto& poly : buffers.all()) abi::need_range(*to, 0, poly->size(), "out");
    const zka_fe times = abi::need_element(to->field(), factor, "factor");
    const auto from = coefficients_of(buffers);
    const auto less = low_of(to->field(), low, low_len, m, to->size());
    call.run([&](Queue& queue) {
      call.module(&Backend::polynomial).fold(queue, to->field(), from, times, less, to->data(), to->size());
    });
  });
}

zka_status zka_poly_div_roots(zka_buf* poly, size_t n, const zka_fe* roots, size_t nroots, int exact,
                              zka_fe* remainders, zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto divided = find<Buffer>(poly, "poly");
    const Call call(divided->context(), stream);
    abi::need_range(*divided, 0, n, "poly");
    const auto by = elements_of(divided->field(), roots, nroots, "roots");
    if (remainders != nullptr) abi::need(remainders, "remainders");
    call.run([&](Queue& queue) {
      call.module(&Backend::polynomial)
          .divide(queue, divided->field(), divided->data(), n, by, exact != 0, remainders);
    });
  });
}

zka_status zka_poly_div_roots_mem(const zka_ctx* ctx, size_t n, uint64_t* host_bytes, uint64_t* device_bytes) {
  return guard([&] {
    const Call call(ctx);
    abi::report_bytes(call.module(&Backend::polynomial).divide_bytes(n), host_bytes, device_bytes);
  });
}

zka_status zka_poly_eval(const zka_buf* const* polys, size_t m, const zka_fe* points, size_t npoints, zka_fe* out,
                         zka_stream* stream) {
  return guard_on(stream, [&] {
    // Nothing gives a field or a context, but what is there is checked.
    if (m == 0) {
      abi::need_array(points, npoints, "points");
      if (stream != nullptr) find<Stream>(stream, "stream");
      return;
    }
    const auto first = find<Buffer>(*abi::need(polys, "polys"), "polys[0]");
    const Call call(first->context(), stream);
    const abi::Buffers buffers(call, polys, m, first->field(), "polys");
    abi::need_array(out, values_of(m, npoints), "out");
    const auto at = elements_of(first->field(), points, npoints, "points");
    const auto from = coefficients_of(buffers);
    call.run([&](Queue& queue) {
      call.module(&Backend::polynomial).evaluate(queue, first->field(), from, at, out);
    });
  });
}
