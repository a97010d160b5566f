#include "zkaccel/msm.h"

#include "abi/call.h"
#include "abi/report_bytes.h"
#include "core/bases.h"
#include "core/elements.h"
#include "core/point_fault.h"
#include "ec/curve.h"

using namespace zka;
using abi::Call;
using abi::find;
using abi::guard;
using abi::guard_on;
using abi::need;
using abi::need_array;

namespace {

// A multiple for every bit of a scalar but the first.
constexpr uint32_t PRECOMPUTE_MAX = 252;

zka_field scalar_field(zka_curve curve) {
  return ZKA_ISA::with_curve(curve, []<class C>(C) { return C::scalar_field; });
}

zka_field base_field(zka_curve curve) {
  return ZKA_ISA::with_curve(curve, []<class C>(C) { return C::base_field; });
}

void need_curve(zka_curve curve) {
  ZKA_ISA::with_curve(curve, [](auto) {});
}

void need_precompute(uint32_t precompute) {
  if (precompute <= PRECOMPUTE_MAX) return;
  throw Failure(ZKA_E_SIZE, "precompute is " + std::to_string(precompute) + ", more than " + std::to_string(PRECOMPUTE_MAX));
}

size_t product(size_t n, size_t batch) {
  size_t all = 0;
  if (!__builtin_mul_overflow(n, batch, &all)) return all;
  throw Failure(ZKA_E_SIZE, std::to_string(batch) + " columns of " + std::to_string(n) + " scalars are too many");
}

// The inverses of many are found together: one coordinate that is no element would spoil the others.
void need_coordinates(zka_curve curve, const zka_jacobian* points, size_t n) {
  const auto below = [field = base_field(curve)](const zka_fe& value) { return is_below_modulus(field, value); };
  for (size_t i = 0; i < n; ++i) {
    if (below(points[i].x) && below(points[i].y) && below(points[i].z)) continue;
    refuse_point(PointFault::NON_CANONICAL, i, nullptr);
  }
}

}  // namespace

zka_status zka_bases_create(zka_ctx* ctx, zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute,
                            int check, size_t* bad_index, zka_bases** out) {
  return guard([&] {
    abi::need_out(out);
    const Call call(ctx);
    need_curve(curve);
    need_precompute(precompute);
    need_array(points, n, "points");
    if (bad_index != nullptr) need(bad_index, "bad_index");
    auto prepared = call.module(&Backend::msm).bases(curve, points, n, precompute, check != 0, bad_index);
    *out = call.hand_out(std::make_shared<Bases>(call.shared_context(), curve, n, std::move(prepared)));
  });
}

void zka_bases_free(zka_bases* bases) { Handles::all().remove<Bases>(bases); }

size_t zka_bases_len(const zka_bases* bases) {
  size_t n = 0;
  guard([&] { n = find<Bases>(bases, "bases")->size(); });
  return n;
}

zka_status zka_bases_mem(const zka_ctx* ctx, zka_curve curve, size_t n, uint32_t precompute, uint64_t* host_bytes,
                         uint64_t* device_bytes) {
  return guard([&] {
    const Call call(ctx);
    need_curve(curve);
    need_precompute(precompute);
    abi::report_bytes(call.module(&Backend::msm).bases_bytes(curve, n, precompute), host_bytes, device_bytes);
  });
}

zka_status zka_msm(const zka_bases* bases, size_t first, const zka_buf* scalars, size_t offset, size_t n, size_t batch,
                   zka_jacobian* out, zka_stream* stream) {
  return guard_on(stream, [&] {
    const auto points = find<Bases>(bases, "bases");
    const Call call(points->context(), stream);
    const auto factors = call.buffer(scalars, scalar_field(points->curve()), "scalars");
    if (first > points->size() || n > points->size() - first) {
      throw Failure(ZKA_E_SIZE, "there are " + std::to_string(points->size()) + " bases, not the " +
                                    std::to_string(n) + " from " + std::to_string(first) + " on");
    }
    abi::need_range(*factors, offset, product(n, batch), "scalars");
    need_array(out, batch, "out");
    call.run([&](Queue& queue) {
      call.module(&Backend::msm).msm(queue, points->prepared(), first, factors->data(offset), n, batch, out);
    });
  });
}

zka_status zka_msm_mem(const zka_bases* bases, size_t n, size_t batch, uint64_t* host_bytes, uint64_t* device_bytes) {
  return guard([&] {
    const auto points = find<Bases>(bases, "bases");
    const Call call(points->context(), nullptr);
    if (n > points->size()) throw Failure(ZKA_E_SIZE, "there are " + std::to_string(points->size()) + " bases");
    product(n, batch);
    abi::need_length<zka_jacobian>(batch, "out");
    abi::report_bytes(call.module(&Backend::msm).msm_bytes(points->prepared(), n, batch), host_bytes, device_bytes);
  });
}

zka_status zka_msm_once(zka_ctx* ctx, zka_curve curve, const zka_affine* points, const zka_fe* scalars, size_t n,
                        zka_jacobian* out) {
  return guard([&] {
    const Call call(ctx);
    need_curve(curve);
    need_array(points, n, "points");
    need_array(scalars, n, "scalars");
    need(out, "out");
    Buffer factors(call.shared_context(), scalar_field(curve), n);
    const auto prepared = call.module(&Backend::msm).bases(curve, points, n, 0, false, nullptr);
    call.run([&](Queue& queue) {
      call.module(&Backend::buffers).write(queue, factors.field(), factors.data(), scalars, n, ZKA_FORM_MONTGOMERY);
      call.module(&Backend::msm).msm(queue, *prepared, 0, factors.data(), n, 1, out);
    });
  });
}

zka_status zka_to_affine(zka_ctx* ctx, zka_curve curve, const zka_jacobian* points, size_t n, zka_affine* out) {
  return guard([&] {
    const Call call(ctx);
    need_curve(curve);
    need_array(points, n, "points");
    need_array(out, n, "out");
    need_coordinates(curve, points, n);
    call.run([&](Queue& queue) { call.module(&Backend::msm).to_affine(queue, curve, points, n, out); });
  });
}
